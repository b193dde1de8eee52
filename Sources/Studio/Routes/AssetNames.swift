internal import Basics
internal import FileSystem
internal import FoundationEssentials
internal import Synchronization
internal import Workflows

/// The opaque names by which clients request assets, and the files to which the names refer.
final class AssetNames: Sendable {
  private struct Place {
    var folder: Int32
    var name: String
  }

  /// A stem in a folder. Two assets share a stem if a photo and a movie with this stem do not belong together.
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

  /// - Parameter folders: The served folders.
  init(_ folders: ServedFolders) { self.folders = folders }

  /// Returns the name of an asset and registers it.
  func name(of asset: IndexedAsset, in folder: ServedFolder) -> String {
    name(ofFile: asset.name, stem: asset.stem, in: folder)
  }

  /// Returns the name of the asset that a file represents, and registers the name.
  ///
  /// - Parameters:
  ///   - file: The name of the file.
  ///   - stem: The asset's stem, if the stem is known and differs from the file's stem.
  ///   - folder: The folder that contains the file.
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

  /// Returns the names of the assets with the given stems.
  ///
  /// - Returns: The registered names, and whether any stem has no registered name.
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

  /// Finds an asset. If this server has not registered the name, all folders are searched.
  ///
  /// - Throws: ``RouteError`` if the asset does not exist.
  func asset(_ name: String) async throws(RouteError) -> (asset: IndexedAsset, folder: ServedFolder) {
    guard name.utf8.count <= 64, name.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 }) else {
      throw Self.missing
    }
    if state.withLock({ $0.places[name] }) == nil { await learnAll() }
    guard let found = try await known(name) else { throw Self.missing }
    return found
  }

  /// Searches all folders and registers their assets, so that names registered by an earlier server are found.
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

  /// The result of looking up requested assets.
  struct Found: Sendable {
    /// The assets that were found.
    var assets: [(asset: IndexedAsset, folder: ServedFolder, name: String)] = []
    /// The missing assets: their names, the paths of their files if known, and the errors.
    var missing: [(name: String, path: String?, error: EditError)] = []

    /// The number of all requested assets.
    var count: Int { assets.count + missing.count }
  }

  /// The files of requested assets. The existence of the files is not checked.
  struct Located: Sendable {
    /// The files that belong to registered names.
    var files: [(path: String, folder: ServedFolder, name: String)] = []
    /// The unknown names.
    var missing: [(name: String, path: String?, error: EditError)] = []

    /// The number of all requested assets.
    var count: Int { files.count + missing.count }
  }

  /// Finds the files of several assets by the assets' registered names. This search is fast for any number of assets.
  ///
  /// - Throws: ``RouteError`` if no name is known, or if too many names were requested.
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

  /// Returns the location of the asset for each name, without duplicates; nil for an unknown name.
  ///
  /// - Throws: ``RouteError`` if no names or too many names were requested.
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
    // The names may come from an earlier server. A single search registers all of these names.
    await learnAll()
    return known()
  }

  /// The maximum number of assets that a request may name.
  static let most = 100_000

  /// Finds several assets.
  ///
  /// - Throws: ``RouteError`` if no asset was found, or if too many assets were requested.
  func assets(_ names: [String], atMost limit: Int = most) async throws(RouteError) -> Found {
    let known = try await places(of: names, atMost: limit)
    // The index of each folder is opened only once.
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
