internal import Basics
internal import EditModel
internal import FileSystem
internal import FoundationEssentials
internal import Workflows

extension Studio {
  private struct AlbumsAnswer: Encodable {
    struct Album: Encodable {
      var album: String
      var count: Int
      var folders: [Int]
      var cover: String?
    }
    var schema = 1
    var albums: [Album]
  }

  private struct Marks: Decodable {
    var assets: [String]
    var favourite: Bool?
    var hidden: Bool?
  }

  private struct AlbumChange: Decodable {
    var action: String
    var album: String
    var assets: [String]?
    var folders: [Int]?
  }

  /// Handles `POST marks`.
  func mark(_ request: HTTPRequest) async throws(RouteError) -> HTTPResponse {
    let body = try request.decoded(Marks.self)
    guard body.favourite != nil || body.hidden != nil else {
      throw .usage("a mark needs “favourite” or “hidden”")
    }
    return try await each(body.assets, request) { folder, assets throws(EditError) in
      try await folder.library.mark(assets, MarkChange(favourite: body.favourite, hidden: body.hidden))
      return .marked
    }
  }

  /// Handles `GET albums`.
  func albums() async throws(RouteError) -> HTTPResponse {
    var albums: [String: AlbumsAnswer.Album] = [:]
    for folder in folders.all {
      guard let found = try? await folder.library.albums() else { continue }
      let covers = await covers(of: found.filter { albums[$0.name]?.cover == nil }, folder)
      for album in found {
        var known = albums[album.name] ?? AlbumsAnswer.Album(album: album.name, count: 0, folders: [])
        known.count += album.stems.count
        known.folders.append(folder.number)
        known.cover = known.cover ?? covers[album.name]
        albums[album.name] = known
      }
    }
    return HTTPResponse(json: AlbumsAnswer(albums: albums.values.sorted { $0.album < $1.album }))
  }

  /// Returns the name of the first asset of each album. An album stores only the stems of its assets.
  private func covers(of albums: [Album], _ folder: ServedFolder) async -> [String: String] {
    var covers: [String: String] = [:]
    var unknown: [(album: String, stem: String)] = []
    for album in albums {
      guard let stem = album.stems.first else { continue }
      covers[album.name] = names.names(ofStems: [stem], in: folder).known.first
      if covers[album.name] == nil { unknown.append((album.name, stem)) }
    }
    guard !unknown.isEmpty, let found = try? await folder.library.assets(ofStems: unknown.map(\.stem)) else {
      return covers
    }
    for (one, asset) in zip(unknown, found) {
      covers[one.album] = asset.map { names.name(of: $0, in: folder) }
    }
    return covers
  }

  /// Handles `POST albums`.
  func changeAlbum(_ request: HTTPRequest) async throws(RouteError) -> HTTPResponse {
    let body = try request.decoded(AlbumChange.self)
    let name = body.album
    switch body.action {
    case "add":
      return try await each(body.assets ?? [], request) { folder, assets throws(EditError) in
        if try await !folder.library.albums().contains(where: { $0.name == name }) {
          // Another client may create the album at the same time.
          do throws(EditError) { try await folder.library.createAlbum(name) } catch {
            guard error.code == .inTheWay else { throw error }
          }
        }
        try await folder.library.add(assets, toAlbum: name)
        return .added
      }
    case "remove":
      return try await each(body.assets ?? [], request) { folder, assets throws(EditError) in
        try await folder.library.remove(assets, fromAlbum: name)
        return .removed
      }
    case "create", "delete":
      var results: [RawJSON] = []
      let all = folders.all
      var chosen = all
      if let numbers = body.folders {
        guard numbers.allSatisfy(all.indices.contains) else { throw .usage("this folder does not exist") }
        // Each asset is used only once, even if it is named several times.
        chosen = Set(numbers).sorted().map { all[$0] }
      } else if body.action == "delete" {
        var having: [ServedFolder] = []
        for folder in all {
          do throws(EditError) {
            if try await folder.library.albums().contains(where: { $0.name == name }) {
              having.append(folder)
            }
          } catch {
            results.append(
              failure(error, nil, with: ["folder": .integer(folder.number), "album": .string(name)]))
          }
        }
        chosen = having
        if having.isEmpty, results.isEmpty { throw .notFound("there is no album “\(name)”") }
      }
      for folder in chosen {
        try request.checkWanted()
        let members: [String: JSONValue] = ["folder": .integer(folder.number), "album": .string(name)]
        do throws(EditError) {
          if body.action == "create" {
            try await folder.library.createAlbum(name)
          } else {
            try await folder.library.removeAlbum(name)
          }
          results.append(json(Answer(body.action == "create" ? .created : .deleted, members)))
        } catch {
          results.append(failure(error, nil, with: members))
        }
      }
      return HTTPResponse(json: ResultsAnswer(results: results))
    default: throw .usage("“action” must be add, remove, create or delete")
    }
  }

  /// Performs an action on the assets of each folder: on all of a folder's assets or on none of them.
  private func each(
    _ wanted: [String], _ request: HTTPRequest,
    _ body: (ServedFolder, [IndexedAsset]) async throws(EditError) -> Answer.Status
  ) async throws(RouteError) -> HTTPResponse {
    let found = try await names.assets(wanted)
    defer { views.change() }
    var results = failures(found.missing)
    for (number, part) in Dictionary(grouping: found.assets, by: \.folder.number).sorted(by: {
      $0.key < $1.key
    }) {
      try request.checkWanted()
      do throws(EditError) {
        let status = try await body(folders[number], part.map(\.asset))
        results += part.map { json(Answer(status, file: $0.asset.path), of: $0.name) }
      } catch {
        results += part.map { failure(error, $0.asset.path, of: $0.name) }
      }
    }
    return HTTPResponse(json: ResultsAnswer(results: results))
  }

  /// Handles `GET presets`.
  func presets() async throws(RouteError) -> HTTPResponse {
    struct PresetsAnswer: Encodable {
      struct Entry: Encodable {
        var preset: String
        var summary: Spoken
        var isOwn: Bool
        var edit: JSONValue
      }
      var schema = 1
      var presets: [Entry]
      var failures: [RawJSON]
    }
    let (entries, failures) = try await liveEdit { () throws(EditError) in
      try await withWorkerThread(about: nil) { _ throws(EditError) in
        let library = PresetLibrary()
        let own = try library.ownNames()
        var entries = try PresetLibrary.builtIn().filter { !own.contains($0.name) }.map { ($0, false) }
        var failures: [EditError] = []
        for name in own {
          do throws(EditError) {
            entries.append((try library.own(name), true))
          } catch {
            failures.append(error)
          }
        }
        return (entries, failures)
      }
    }
    return HTTPResponse(
      json: PresetsAnswer(
        presets: entries.map {
          PresetsAnswer.Entry(
            preset: $0.name, summary: Spoken($1 ? "\($0.summary)" : Message($0.summary)), isOwn: $1,
            edit: $0.edit.canonicalJSON)
        }, failures: failures.map { failure($0, $0.file) }))
  }
}
