internal import Basics
internal import EditModel
internal import FileSystem
internal import FoundationEssentials
internal import Workflows

extension Studio {
  /// Handles `GET table`.
  func table(
    _ asset: IndexedAsset, _ name: String, _ request: HTTPRequest
  ) async throws(RouteError) -> HTTPResponse {
    let query = request.query
    guard let half = HalfKind(rawValue: query["half"] ?? "photo") else {
      throw .usage("“half” must be photo or movie")
    }
    guard let colors = PreviewRequest.Colors(rawValue: query["colors"] ?? "srgb") else {
      throw .usage("“colors” must be srgb or p3")
    }
    let side = try pictureSide(query["size"])
    let known = Set((query["have"] ?? "").split(separator: ",").map(String.init))
    var wanted = PreviewRequest(
      try edit(query["edit"] ?? "{}"), on: half, in: colors, isRough: query["rough"] == "true",
      known: known)
    let base = try await editBase(of: asset, name)
    if !wanted.edit.keepsAreas {
      wanted.picture =
        half == .photo
        ? try await smallPicture(asset, name, side: side, request)
        : try await smallMovie(asset, name, request)
    }
    let bytes = try await liveEdit { [wanted] () throws(EditError) in
      try await withWorkerThread(about: asset.path) { isCancelled throws(EditError) in
        try base.helper.answer(.parts(wanted)) { isCancelled() || request.isClosed() }
      }
    }
    return HTTPResponse(200, type: "application/octet-stream", bytes)
  }

  /// Returns the base of the next edit of an asset.
  func editBase(of asset: IndexedAsset, _ name: String) async throws(RouteError) -> EditPreviews.Base {
    try await liveEdit { () throws(EditError) in
      try await withWorkerThread(about: asset.path) { [editPreviews] _ throws(EditError) in
        try editPreviews.base(of: asset, name)
      }
    }
  }

  /// Returns the path of the small picture from which the next edit of an asset starts, in the photo's own colours; nil
  /// if the asset has no photo. `picture?version=base&colors=p3` shows the same picture.
  func smallPicture(
    _ asset: IndexedAsset, _ name: String, side: Int, _ request: HTTPRequest
  ) async throws(RouteError) -> String? {
    let base = try await editBase(of: asset, name)
    guard base.files.photo != nil else { return nil }
    let words = base.words + [String(side), ImageConversion.Profile.keep.rawValue]
    _ = try await preview(asset, name, words, "jpg", .pictures, request) {
      [renderer] output, isCancelled throws(EditError) in
      try ScreenMediaMaker(renderer: renderer, isCancelled: isCancelled).picture(
        of: asset, .base, side: side, profile: .keep, to: output)
    }
    return try await liveEdit { () throws(EditError) in
      try base.folder.take(Self.key(name, words) + ".jpg")
    }
  }

  /// Returns the path of the small movie from which the next edit of an asset starts; nil if the asset has no movie.
  /// `movie?version=base` shows the same movie.
  private func smallMovie(
    _ asset: IndexedAsset, _ name: String, _ request: HTTPRequest
  ) async throws(RouteError) -> String? {
    let base = try await editBase(of: asset, name)
    guard base.hasMovie else { return nil }
    var wanted = request
    wanted.query = ["version": "base"]
    wanted.headers["range"] = nil
    _ = try await movie(asset, name, wanted)
    let words = try await movieWords(of: .base, asset, name)
    return try await liveEdit { () throws(EditError) in
      try base.folder.take(Self.key(name, words) + ".mp4")
    }
  }

  /// Returns the JSON of an edit that an address contains. An edit that is too long for an address is represented by
  /// “@” and the edit's name.
  func editJSON(_ text: String) throws(RouteError) -> String {
    guard text.hasPrefix("@") else { return text }
    guard let known = keptEdits[String(text.dropFirst())] else {
      throw .outdated("the edit has expired; send it again")
    }
    return known
  }

  /// Handles `POST kept-edits`: stores an edit that is too long for an address.
  func keepEdit(_ request: HTTPRequest) throws(RouteError) -> HTTPResponse {
    struct Answer: Encodable {
      var schema = 1
      var edit: String
    }
    let text = String(decoding: request.body, as: UTF8.self)
    _ = try edit(text)
    return HTTPResponse(json: Answer(edit: "@" + keptEdits.keep(text)))
  }

  /// Parses an edit that an address contains.
  func edit(_ text: String) throws(RouteError) -> Edit {
    let json = try editJSON(text)
    do {
      return try JSONText.decode(Edit.self, from: json.utf8)
    } catch {
      throw .usage("“edit” is not a valid edit: \(Self.clause(error))")
    }
  }
}
