internal import Basics
internal import EditModel
internal import FileSystem
internal import FoundationEssentials
internal import Workflows

/// An asset as included in responses.
struct AssetObject: Encodable {
  private enum CodingKeys: CodingKey {
    case id, folder, file, name, originals, revision, shape, burstCount
  }

  let asset: IndexedAsset
  let folder: ServedFolder
  let name: String
  var burstCount: Int?

  func encode(to encoder: any Encoder) throws {
    try ListedAsset(asset).encode(to: encoder)
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(name, forKey: .id)
    try members.encode(folder.number, forKey: .folder)
    try members.encode(folder.shown(asset.name), forKey: .file)
    try members.encode(asset.stem, forKey: .name)
    try members.encode(
      Answer.Originals(photo: asset.photo.map(folder.shown), movie: asset.movie.map(folder.shown)),
      forKey: .originals)
    try members.encode(asset.revisionName, forKey: .revision)
    try members.encode(asset.metadata.shape, forKey: .shape)
    try members.encodeIfPresent(burstCount, forKey: .burstCount)
  }
}

extension IndexedAsset {
  /// The revision as written in addresses.
  var revisionName: String { String(UInt64(bitPattern: revision), radix: 36) }
}

struct OneAssetAnswer: Encodable {
  var schema = 1
  var asset: AssetObject
}

extension Studio {
  private struct SectionsAnswer: Encodable {
    struct Section: Encodable {
      private enum CodingKeys: CodingKey { case month, count, shapes }
      var month: String?
      var count: Int
      var shapes: ArraySlice<UInt16>

      func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        // The member is written as null instead of being omitted.
        try members.encode(month, forKey: .month)
        try members.encode(count, forKey: .count)
        try members.encode(Array(shapes), forKey: .shapes)
      }
    }
    var schema = 1
    var count: Int
    var view: String
    var sections: [Section]
  }

  private struct AssetsAnswer: Encodable {
    var schema = 1
    var count: Int
    var offset: Int
    var view: String
    var assets: [AssetObject?]
  }

  private struct NamesAnswer: Encodable {
    var schema = 1
    var count: Int
    var offset: Int
    var view: String
    var assets: [String]
  }

  private struct FilterAnswer: Encodable {
    var schema = 1
    var valid: Bool
    var position: Int?
    var message: Spoken?
    var proposals: [String]
  }

  private func question(_ request: HTTPRequest) -> AssetViews.Question {
    AssetViews.Question(
      filter: request.query["filter"] ?? "",
      sort: request.query["sort"].flatMap { $0.isEmpty ? nil : $0 } ?? "-date",
      showsHidden: request.query["hidden"] == "true")
  }

  /// Returns the object that describes an asset, and registers the asset's name.
  func listed(_ asset: IndexedAsset, _ folder: ServedFolder) -> AssetObject {
    AssetObject(asset: asset, folder: folder, name: names.name(of: asset, in: folder))
  }

  /// Handles `GET sections`.
  func sections(_ request: HTTPRequest) async throws(RouteError) -> HTTPResponse {
    let view = try await views.make(question(request))
    let shapes = view.entries.map(\.shape)
    var start = 0
    var sections: [SectionsAnswer.Section] = []
    for section in view.sections {
      sections.append(
        SectionsAnswer.Section(
          month: section.month, count: section.count, shapes: shapes[start..<start + section.count]))
      start += section.count
    }
    return HTTPResponse(json: SectionsAnswer(count: view.entries.count, view: view.name, sections: sections))
  }

  private static func number(
    _ name: String, _ standard: Int, _ range: ClosedRange<Int>, in request: HTTPRequest
  ) throws(RouteError) -> Int {
    guard let text = request.query[name], !text.isEmpty else { return standard }
    guard let number = Int(text), range ~= number else {
      throw .usage("“\(name)” must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Handles `GET assets`.
  func assets(_ request: HTTPRequest) async throws(RouteError) -> HTTPResponse {
    let offset = try Self.number("offset", 0, 0...Int(Int32.max), in: request)
    let limit = try Self.number("limit", 100, 1...1000, in: request)
    let view =
      if let name = request.query["view"], !name.isEmpty { try views.view(named: name) } else {
        try await views.recent(question(request))
      }
    let start = min(offset, view.entries.count)
    let entries = Array(view.entries[start..<min(start + limit, view.entries.count)])
    var objects = [AssetObject?](repeating: nil, count: entries.count)
    for (number, places) in Dictionary(grouping: entries.indices, by: { entries[$0].folder }) {
      let folder = folders[Int(number)]
      let assets = try await liveEdit { () throws(EditError) in
        try await folder.library.assets(named: places.map { entries[$0].name })
      }
      for (place, asset) in zip(places, assets) { objects[place] = asset.map { listed($0, folder) } }
    }
    await countBursts(&objects)
    return HTTPResponse(
      json: AssetsAnswer(count: view.entries.count, offset: start, view: view.name, assets: objects))
  }

  /// Adds the number of pictures to each asset that represents a burst.
  private func countBursts(_ objects: inout [AssetObject?]) async {
    var bursts: [Int: [(place: Int, burst: String)]] = [:]
    for (place, object) in objects.enumerated() {
      guard let object, object.asset.representsBurst, let burst = object.asset.metadata.burst else {
        continue
      }
      bursts[object.folder.number, default: []].append((place, burst))
    }
    for (number, those) in bursts {
      guard let counts = try? await folders[number].library.counts(ofBursts: those.map(\.burst)) else {
        continue
      }
      for (one, count) in zip(those, counts) { objects[one.place]?.burstCount = count }
    }
  }

  /// Handles `GET names`.
  func assetNames(_ request: HTTPRequest) throws(RouteError) -> HTTPResponse {
    let name = request.query["view"] ?? ""
    let view = try views.view(named: name)
    let offset = try Self.number("offset", 0, 0...Int(Int32.max), in: request)
    let limit = try Self.number("limit", Int(Int32.max), 1...Int(Int32.max), in: request)
    let entries = view.entries.dropFirst(offset).prefix(limit)
    let assets = entries.map { names.name(ofFile: $0.name, in: folders[Int($0.folder)]) }
    return HTTPResponse(
      json: NamesAnswer(count: view.entries.count, offset: offset, view: view.name, assets: assets))
  }

  /// Handles `GET filter`.
  func filter(_ request: HTTPRequest) async -> HTTPResponse {
    let text = request.query["text"] ?? ""
    var answer = FilterAnswer(valid: true, proposals: FilterCompletion.words(text))
    do throws(FilterError) {
      if !text.isEmpty { _ = try AssetFilter(text) }
    } catch {
      (answer.valid, answer.position, answer.message) = (false, error.position, Spoken(error.message))
    }
    if answer.proposals.isEmpty { answer.proposals = await proposedValues(text) }
    return HTTPResponse(json: answer)
  }

  /// Returns completions for a typed filter, using values that occur in the assets.
  private func proposedValues(_ text: String) async -> [String] {
    let words = text.split(separator: " ")
    guard words.count >= 2, let field = AssetField(rawValue: words[words.count - 2].lowercased()),
      field.valueKind == .text, ["=", "!=", "contains"].contains(words[words.count - 1]), text.last == " "
    else { return [] }
    var values: Set<String> = []
    for folder in folders.all {
      if field == .album {
        values.formUnion(((try? await folder.library.albums()) ?? []).map(\.name))
        continue
      }
      guard let all = try? await folder.library.fetch() else { continue }
      // The first 2000 assets are enough for completions.
      for asset in (try? await all.assets(in: 0..<2000)) ?? [] {
        let metadata = asset.metadata
        let value: String? =
          switch field {
          case .camera: metadata.source
          case .make: metadata.make
          case .model: metadata.model
          case .software: metadata.software
          case .format: metadata.adjustmentFormat
          default: nil
          }
        if let value { values.insert(value) }
      }
    }
    return values.sorted().prefix(20).map { "\(text)\"\($0.filter { $0 != "\"" })\"" }
  }

  /// Calls LiveEdit and converts its errors to responses.
  func liveEdit<Value>(
    _ body: () async throws(EditError) -> Value
  ) async throws(RouteError) -> Value {
    do throws(EditError) {
      return try await body()
    } catch {
      throw .failed(error)
    }
  }
}
