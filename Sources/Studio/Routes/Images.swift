internal import Basics
internal import EditModel
internal import FileSystem
internal import FoundationEssentials
internal import Workflows

extension Studio {
  /// The allowed lengths of a picture's longer side in pixels.
  private static let sides = [320, 640, 1280, 2048, 4096]

  /// Parses the requested length, in pixels, of a picture's longer side.
  func pictureSide(_ text: String?) throws(RouteError) -> Int {
    guard let wanted = Int(text ?? "1280"), wanted > 0 else {
      throw .usage("“size” must be a number of pixels")
    }
    return Self.sides.first { $0 >= wanted } ?? 4096
  }

  /// Handles `GET thumbnail`.
  func thumbnail(
    _ asset: IndexedAsset, _ name: String, _ request: HTTPRequest
  ) async throws(RouteError) -> HTTPResponse {
    let tag = EntityTag("\(name)-\(asset.revisionName)-thumbnail")
    if tag.isNamed(in: request.headers["if-none-match"]) {
      var known = HTTPResponse(304)
      known["ETag"] = tag.header
      return kept(known, asset, request)
    }
    let embedded = try? await withWorkerThread(about: asset.path) { _ throws(EditError) in
      try ScreenMediaMaker.embeddedThumbnail(of: asset)
    }
    if let embedded = embedded ?? nil {
      var answer = HTTPResponse(200, type: "image/jpeg", embedded)
      answer["ETag"] = tag.header
      answer["Liveedit-Picture"] = "embedded"
      return kept(answer, asset, request)
    }
    var answer = try await preview(
      asset, name, [asset.revisionName, "current", "320", "srgb"], "jpg", .pictures, request
    ) { [renderer] output, isCancelled throws(EditError) in
      try ScreenMediaMaker(renderer: renderer, isCancelled: isCancelled).picture(
        of: asset, .current, side: 320, profile: .srgb, to: output)
    }
    answer["Liveedit-Picture"] = "made"
    return kept(answer, asset, request)
  }

  /// Handles `GET picture`.
  func picture(
    _ asset: IndexedAsset, _ name: String, _ request: HTTPRequest
  ) async throws(RouteError) -> HTTPResponse {
    let query = request.query
    let side = try pictureSide(query["size"])
    let profile: ImageConversion.Profile
    switch query["colors"] ?? "srgb" {
    case "srgb": profile = .srgb
    case "p3": profile = .keep
    default: throw .usage("“colors” must be srgb or p3")
    }
    if let painted = try await painted(asset, name, request) { return kept(painted, asset, request) }
    if let (change, words) = try change(query) {
      let small = try await smallPicture(asset, name, side: max(side, 2048), request)
      let progress = progress(request)
      let answer = try await preview(
        asset, name, [asset.revisionName, String(side)] + words, "jpg", side > 320 ? .edits : .pictures,
        request
      ) { [renderer] output, isCancelled throws(EditError) in
        try ScreenMediaMaker(renderer: renderer, isCancelled: isCancelled).picture(
          of: asset, changedBy: change, side: side, from: small, progress: progress, to: output)
      }
      return kept(answer, asset, request)
    }
    let state = try state(query["version"])
    let words = try await words(of: state, asset, name) + [String(side), profile.rawValue]
    let answer = try await preview(
      asset, name, words, "jpg", .pictures, request
    ) { [renderer] output, isCancelled throws(EditError) in
      try ScreenMediaMaker(renderer: renderer, isCancelled: isCancelled).picture(
        of: asset, state, side: side, profile: profile, to: output)
    }
    return kept(answer, asset, request)
  }

  /// Returns a large picture of an edited photo or movie frame, rendered by the asset's long-running helper. Returns
  /// nil if another kind of picture is requested.
  private func painted(
    _ asset: IndexedAsset, _ name: String, _ request: HTTPRequest
  ) async throws(RouteError) -> HTTPResponse? {
    let query = request.query
    guard let text = query["edit"], let side = Int(query["size"] ?? "1280"), side > 320 else { return nil }
    var time: Double?
    if let text = query["time"] {
      guard let seconds = Double(text), seconds >= 0, seconds.isFinite else {
        throw .usage("“time” must be a number of seconds")
      }
      time = seconds
    }
    let edit = try edit(text)
    let base = try await editBase(of: asset, name)
    let isAnotherFrame = edit.motion.keyPhoto != nil || edit.motion.effect == .longExposure
    if time == nil, isAnotherFrame || base.files.photo == nil { return nil }
    let picture = PreviewPicture(
      edit, side: min(side, 4096), time: time, isExact: query["exact"] == "true")
    let painter = picture.isExact ? base.finisher : base.painter
    let bytes = try await liveEdit { [picture] () throws(EditError) in
      try await withWorkerThread(about: asset.path) { isCancelled throws(EditError) in
        try painter.answer(.picture(picture), endsWork: picture.isExact) {
          isCancelled() || request.isClosed()
        }
      }
    }
    return HTTPResponse(200, type: bytes.first == 0x89 ? "image/png" : "image/jpeg", bytes)
  }

  /// Handles `GET movie`.
  func movie(
    _ asset: IndexedAsset, _ name: String, _ request: HTTPRequest
  ) async throws(RouteError) -> HTTPResponse {
    if let text = request.query["edit"] { return try await movie(ofEdit: text, asset, name, request) }
    let state = try state(request.query["version"])
    let words = try await movieWords(of: state, asset, name)
    let answer = try await preview(asset, name, words, "mp4", .movies, request) {
      [renderer] output, isCancelled throws(EditError) in
      try ScreenMediaMaker(renderer: renderer, isCancelled: isCancelled).movie(
        of: asset, state, side: 720, to: output)
    }
    return kept(answer, asset, request)
  }

  /// Returns a closure that reports the progress of a preview to all pages, under the name in the request.
  private func progress(_ request: HTTPRequest) -> @Sendable (Double) -> Void {
    struct Making: Encodable {
      var name: String
      var fraction: Double
    }
    guard let name = request.query["progress"].map({ String($0.prefix(40)) }) else { return { _ in } }
    return { [events] fraction in
      events.tell("making", Making(name: name, fraction: (fraction * 100).rounded() / 100))
    }
  }

  /// Returns the movie of an edit, exactly as a render would create it. Progress is reported under the name in the
  /// request.
  private func movie(
    ofEdit text: String, _ asset: IndexedAsset, _ name: String, _ request: HTTPRequest
  ) async throws(RouteError) -> HTTPResponse {
    let json = try editJSON(text)
    let edit = try edit(json)
    let progress = progress(request)
    let answer = try await preview(
      asset, name, [asset.revisionName, "edit", json, "movie"], "mp4", .movies, request
    ) { [renderer] output, isCancelled throws(EditError) in
      try ScreenMediaMaker(renderer: renderer, isCancelled: isCancelled).movie(
        of: asset, changedBy: .by({ _, _ in edit }, settings: SettingsChange()), side: 960,
        progress: progress, to: output)
    }
    return kept(answer, asset, request)
  }

  /// Handles `GET original/photo` and `original/movie`.
  func original(_ file: String?, of asset: IndexedAsset, _ request: HTTPRequest) throws(RouteError)
    -> HTTPResponse
  {
    guard let file else { throw .notFound("the asset does not have this half") }
    let path = FilePath.joined(asset.folder, file)
    do {
      let source = try FileByteSource(path: path)
      guard try source.isPictureOrMovie else {
        throw EditError(
          .invalidFile, file: path, "is neither a photo nor a movie",
          remedy: "check the file in its folder")
      }
      let tag = EntityTag(source.status.version)
      return HTTPResponse(
        file: source, type: "application/octet-stream", tag: tag, for: request, downloadAs: file)
    } catch {
      throw .failed(EditError(reading: path, error))
    }
  }

  /// Handles `POST view`.
  func look(_ request: HTTPRequest) throws(RouteError) -> HTTPResponse {
    struct View: Decodable {
      var assets: [String]
      var page: String?
    }
    struct Answer: Encodable {
      var schema = 1
      var cancelled: Int
    }
    let view = try request.decoded(View.self)
    guard view.assets.count <= 1000 else { throw .usage("“assets” must contain at most 1000 asset names") }
    let page = view.page ?? ""
    guard page.utf8.count <= 64 else { throw .usage("“page” must be a name of at most 64 bytes") }
    return HTTPResponse(json: Answer(cancelled: queue.look(at: view.assets, by: page)))
  }

  /// Returns a preview from the cache. If the cache does not contain the preview, the preview is created first.
  ///
  /// - Parameters:
  ///   - words: All values on which the preview depends, apart from the asset.
  ///   - make: A closure that writes the preview to a path.
  func preview(
    _ asset: IndexedAsset, _ name: String, _ words: [String], _ fileExtension: String,
    _ lane: ScreenMediaQueue.Lane,
    _ request: HTTPRequest,
    make: @escaping @Sendable (String, @escaping @Sendable () -> Bool) throws(EditError) -> Void
  ) async throws(RouteError) -> HTTPResponse {
    let key = Self.key(name, words)
    let file = key + "." + fileExtension
    let type =
      fileExtension == "mp4" ? "video/mp4" : fileExtension == "jpg" ? "image/jpeg" : "application/json"
    func known() -> HTTPResponse? {
      previews.source(file).map { HTTPResponse(file: $0, type: type, tag: EntityTag(key), for: request) }
    }
    if let known = known() { return known }
    try await queue.make(
      ScreenMediaQueue.Order(name: file, asset: name, lane: lane, isClosed: request.isClosed) {
        [previews] isCancelled throws(EditError) in
        if previews.source(file) != nil { return }
        try previews.make(file) { path throws(EditError) in try make(path, isCancelled) }
      })
    guard let made = known() else { throw .busy }
    return made
  }

  /// Returns the name of a preview in the cache.
  static func key(_ name: String, _ words: [String]) -> String {
    IndexedAsset.opaqueIdentifier(
      name: ([name, LiveEditVersion.current] + words).joined(separator: "\n"), in: "preview")
  }

  /// Returns all values on which the movie for a state of the asset depends.
  func movieWords(
    of state: ScreenMediaMaker.State, _ asset: IndexedAsset, _ name: String
  ) async throws(RouteError) -> [String] {
    try await words(of: state, asset, name) + ["movie", "720"]
  }

  /// Returns all values on which pictures and movies for a state of the asset depend.
  private func words(
    of state: ScreenMediaMaker.State, _ asset: IndexedAsset, _ name: String
  ) async throws(RouteError) -> [String] {
    guard state == .base else { return [asset.revisionName, "\(state)"] }
    return try await editBase(of: asset, name).words
  }

  /// Returns a response with caching headers. Clients may store the response long-term if the request's address names
  /// the asset's current revision.
  private func kept(_ answer: HTTPResponse, _ asset: IndexedAsset, _ request: HTTPRequest) -> HTTPResponse {
    guard answer.status < 400 else { return answer }
    var answer = answer
    let isForEver = request.query["v"] == asset.revisionName
    answer["Cache-Control"] = isForEver ? "private, max-age=31536000, immutable" : "private, no-cache"
    return answer
  }

  private func state(_ text: String?) throws(RouteError) -> ScreenMediaMaker.State {
    switch text {
    case nil, "", "current": return .current
    case "original": return .version(0)
    case "base": return .base
    case let text?:
      guard let number = Int(text), number >= 0 else {
        throw .usage("“version” must be original, current, base or a number")
      }
      return .version(number)
    }
  }

  /// Returns the change that a picture request contains, and all values on which the change depends.
  private func change(_ query: [String: String]) throws(RouteError) -> (ChangeOfEdit, [String])? {
    if let text = try query["edit"].map({ text throws(RouteError) in try editJSON(text) }) {
      let edit = try edit(text)
      return (.by({ _, _ in edit }, settings: SettingsChange()), ["edit", text])
    }
    guard let name = query["preset"] else { return nil }
    guard let intensity = Double(query["intensity"] ?? "1"), 0...1 ~= intensity else {
      throw .usage("“intensity” must be a number from 0 to 1")
    }
    let isReplacing = query["replace"] == "true"
    let preset = try preset(name)
    let change = Self.change(applying: [preset], intensity: intensity, isReplacing: isReplacing)
    return (
      change, ["preset", String(decoding: preset.json, as: UTF8.self), "\(intensity)", "\(isReplacing)"]
    )
  }

  /// Returns a clause that describes an invalid value.
  static func clause(_ error: any Error) -> Message {
    if case DecodingError.dataCorrupted(let context)? = error as? DecodingError,
      let inner = context.underlyingError
    {
      return "\(inner)"
    }
    return (error as? MediaError)?.message ?? "it cannot be decoded"
  }
}
