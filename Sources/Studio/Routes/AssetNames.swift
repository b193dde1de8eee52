internal import Basics
internal import FileSystem
internal import FoundationEssentials
internal import Synchronization
internal import Workflows

/// The opaque names by which assets are asked for, and what they stand for.
final class AssetNames: Sendable {
  private struct Place {
    var folder: Int32
    var name: String
  }

  /// A stem in a folder; two assets have one where their halves do not belong together.
  private struct Stem: Hashable {
    var folder: Int32
    var stem: String
  }

  private struct State {
    var places: [String: Place] = [:]
    var names: [Stem: Set<String>] = [:]
  }

  private let folders: ServedFolders
  private let state = Mutex(State())

  /// - Parameter folders: the folders.
  init(_ folders: ServedFolders) { self.folders = folders }

  /// The name of an asset, which is known from now on.
  func name(of asset: IndexedAsset, in folder: ServedFolder) -> String {
    name(ofFile: asset.name, stem: asset.stem, in: folder)
  }

  /// The name of the asset that a file stands for, which is known from now on.
  ///
  /// - Parameters:
  ///   - file: the file's name.
  ///   - stem: the asset's stem, if it is known and another one than the file's.
  ///   - folder: the folder.
  func name(ofFile file: String, stem: String? = nil, in folder: ServedFolder) -> String {
    let name = IndexedAsset.opaqueIdentifier(name: file, in: folder.path)
    let number = Int32(folder.number)
    state.withLock { state in
      if state.places.updateValue(Place(folder: number, name: file), forKey: name) == nil {
        for stem in Set([stem, IndexedAsset.stem(ofName: file)].compactMap { $0 }) {
          state.names[Stem(folder: number, stem: stem), default: []].insert(name)
        }
      }
    }
    return name
  }

  /// The names of the assets of some stems.
  ///
  /// - Returns: the names that were given out, and whether there are stems of which nobody has heard.
  func names(ofStems stems: Set<String>, in folder: ServedFolder) -> (known: [String], hasOthers: Bool) {
    state.withLock { state in
      func names(_ stem: String) -> Set<String>? {
        state.names[Stem(folder: Int32(folder.number), stem: stem)]
      }
      var known: Set<String> = []
      var hasOthers = false
      for stem in stems {
        if let names = names(stem) {
          known.formUnion(names)
        } else if let original = IndexedAsset.originalStem(ofRender: stem), let names = names(original) {
          known.formUnion(names)
        } else {
          hasOthers = true
        }
      }
      return (known.sorted(), hasOthers)
    }
  }

  /// Finds an asset. One of a name that this server has not given out is sought in all folders.
  ///
  /// - Throws: ``RouteError`` when there is none.
  func asset(_ name: String) async throws(RouteError) -> (asset: IndexedAsset, folder: ServedFolder) {
    guard name.utf8.count <= 64, name.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 }) else {
      throw Self.missing
    }
    if state.withLock({ $0.places[name] }) == nil { await learnAll() }
    guard let found = try await known(name) else { throw Self.missing }
    return found
  }

  /// Looks through all folders, so that the names are known that a server before this one gave out.
  private func learnAll() async {
    for folder in folders.all {
      guard let all = try? await folder.library.fetch(AssetQuery(includesHidden: true)) else {
        continue
      }
      do {
        for try await asset in all { _ = self.name(of: asset, in: folder) }
      } catch {
        continue
      }
    }
  }

  private func known(_ name: String) async throws(RouteError) -> (asset: IndexedAsset, folder: ServedFolder)?
  {
    guard let place = state.withLock({ $0.places[name] }) else { return nil }
    let folder = folders[Int(place.folder)]
    do throws(EditError) {
      return try await folder.library.assets(named: [place.name])[0].map { ($0, folder) }
    } catch {
      throw .failed(error)
    }
  }

  /// Assets that were asked for.
  struct Found: Sendable {
    /// Those that are there.
    var assets: [(asset: IndexedAsset, folder: ServedFolder, name: String)] = []
    /// Those that are not: their names, the paths of their files where they are known, and why.
    var missing: [(name: String, path: String?, error: EditError)] = []

    /// The number of all.
    var count: Int { assets.count + missing.count }
  }

  /// The files that stand for assets that were asked for. Nobody has looked whether they are there.
  struct Located: Sendable {
    /// Those of names that are known.
    var files: [(path: String, folder: ServedFolder, name: String)] = []
    /// The other names.
    var missing: [(name: String, path: String?, error: EditError)] = []

    /// The number of all.
    var count: Int { files.count + missing.count }
  }

  /// Finds the files of several assets by what is known of their names; how many there are costs no time.
  ///
  /// - Throws: ``RouteError`` when no name is known, or there are too many.
  func located(_ names: [String]) async throws(RouteError) -> Located {
    var located = Located()
    for (name, place) in try await places(of: names, atMost: Self.most) {
      if let place {
        let folder = folders[Int(place.folder)]
        located.files.append((FilePath.joined(folder.path, place.name), folder, name))
      } else {
        located.missing.append((name, nil, Self.missing.parts.error))
      }
    }
    if located.files.isEmpty { throw Self.missing }
    return located
  }

  /// The places of some names, each once; nil for a name that stands for nothing.
  ///
  /// - Throws: ``RouteError`` when there are none or too many.
  private func places(
    of names: [String], atMost limit: Int
  ) async throws(RouteError) -> [(name: String, place: Place?)] {
    guard !names.isEmpty, names.count <= limit else {
      throw .usage("“assets” must contain 1 to \(limit) asset names")
    }
    var seen: Set<String> = []
    let names = names.filter { seen.insert($0).inserted }
    func known() -> [(name: String, place: Place?)] {
      state.withLock { state in names.map { ($0, state.places[$0]) } }
    }
    let places = known()
    if !places.contains(where: { $0.place == nil }) { return places }
    // Names of a server before this one: one look makes all known.
    await learnAll()
    return known()
  }

  /// The most assets that a request may name.
  static let most = 100_000

  /// Finds several assets.
  ///
  /// - Throws: ``RouteError`` when none of them is there, or there are too many.
  func assets(_ names: [String], atMost limit: Int = most) async throws(RouteError) -> Found {
    let known = try await places(of: names, atMost: limit)
    // The index of each folder is opened once.
    var read: [Int32: [String: IndexedAsset]] = [:]
    var failures: [Int32: EditError] = [:]
    for (number, places) in Dictionary(grouping: known.compactMap(\.place), by: \.folder) {
      let files = places.map(\.name)
      var assets: [IndexedAsset?] = []
      do throws(EditError) {
        assets = try await folders[Int(number)].library.assets(named: files)
      } catch {
        failures[number] = error
      }
      read[number] = Dictionary(
        zip(files, assets).compactMap { name, asset in asset.map { (name, $0) } }, uniquingKeysWith: { $1 })
    }
    var found = Found()
    for (name, place) in known {
      let folder = place.map { folders[Int($0.folder)] }
      if let place, let folder, let asset = read[place.folder]?[place.name] {
        found.assets.append((asset, folder, name))
      } else {
        let path = place.flatMap { place in folder.map { FilePath.joined($0.path, place.name) } }
        var error = place.flatMap { failures[$0.folder] } ?? Self.missing.parts.error
        error.file = error.file ?? path
        found.missing.append((name, path, error))
      }
    }
    if found.assets.isEmpty, let first = found.missing.first { throw .failed(first.error) }
    return found
  }

  private static let missing = RouteError.notFound("this asset does not exist")
}
