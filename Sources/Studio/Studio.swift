internal import Basics
internal import EditModel
internal import FileSystem
internal import FoundationEssentials
internal import RenderClient
internal import Workflows

/// The state of a server, and its handling of requests. The routes are in extensions, grouped by subject.
final class Studio: Sendable {
  let options: ServerOptions
  let policy: AccessPolicy
  let folders: ServedFolders
  let names: AssetNames
  let views: AssetViews
  let renderer: HelperRenderer
  let previews: ScreenMediaCache
  let queue = ScreenMediaQueue()
  let editPreviews: EditPreviews
  let events: EventBroadcast
  let jobs: JobTray
  let downloads: DownloadFolder
  let keptEdits = KeptEdits()
  /// The function that stops the server.
  let quit: @Sendable () -> Void

  /// - Parameters:
  ///   - options: The server options.
  ///   - policy: The access policy.
  ///   - folders: The served folders.
  ///   - renderer: The renderer, which decodes, encodes and renders.
  ///   - quit: The function that stops the server.
  /// - Throws: ``EditError`` if no folder for previews or downloads is available.
  init(
    _ options: ServerOptions, _ policy: AccessPolicy, _ folders: ServedFolders, renderer: HelperRenderer,
    quit: @escaping @Sendable () -> Void
  ) throws(EditError) {
    (self.options, self.policy, self.folders, self.renderer, self.quit) =
      (options, policy, folders, renderer, quit)
    names = AssetNames(folders)
    views = AssetViews(folders)
    guard let path = UserFolder.cache.path else {
      throw EditError(.notFound, "no folder for previews was found", remedy: "set XDG_CACHE_HOME or HOME")
    }
    previews = ScreenMediaCache(path: path + "/previews", limit: options.previewLimit)
    editPreviews = EditPreviews(renderer, previews)
    downloads = try DownloadFolder()
    let events = EventBroadcast(folders, names, views)
    self.events = events
    let views = views
    jobs = JobTray { job in
      if job.done > 0 { views.change() }
      events.tell(job)
    }
  }

  /// The headers of every response. They forbid caching, content sniffing, framing and referrers.
  static let headers: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
        + "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
  ]

  /// The request handler of the HTTP server.
  var handler: HTTPServer.Handler {
    HTTPServer.Handler(
      refuse: { request in self.refusal(of: request).map { HTTPResponse($0) } },
      answer: { request in
        do throws(RouteError) {
          return try await self.answer(request).said(by: request.speaker)
        } catch {
          return HTTPResponse(self.relative(error)).said(by: request.speaker)
        }
      }, headers: Self.headers)
  }

  /// Handles the routes of a single asset.
  func asset(_ parts: [String], _ request: HTTPRequest) async throws(RouteError) -> HTTPResponse {
    let (asset, folder) = try await names.asset(parts[0])
    switch (parts.count, parts.dropFirst().joined(separator: "/")) {
    case (1, _): return HTTPResponse(json: OneAssetAnswer(asset: listed(asset, folder)))
    case (_, "thumbnail"): return try await thumbnail(asset, parts[0], request)
    case (_, "table"): return try await table(asset, parts[0], request)
    case (_, "picture"): return try await picture(asset, parts[0], request)
    case (_, "movie"): return try await movie(asset, parts[0], request)
    case (_, "original/photo"): return try original(asset.photo, of: asset, request)
    case (_, "original/movie"): return try original(asset.movie, of: asset, request)
    case (_, "history"): return try await history(asset)
    case (_, "edit"): return try await currentEdit(asset)
    case (_, "proposal"): return try await proposal(asset, request)
    case (_, "inspect"): return try await inspect(asset, request)
    case (_, "verify"): return try await verify(asset, parts[0], request)
    case (_, "share"): return try await shareFacts(asset)
    default: throw .notFound("this route does not exist")
    }
  }

  func session(_ request: HTTPRequest) async throws(RouteError) -> HTTPResponse {
    let renderer = renderer
    do {
      try await withWorkerThread(about: nil) { _ throws(EditError) in renderer.learnSandbox() }
    } catch { throw .failed(error) }
    return HTTPResponse(
      json: SessionAnswer(
        version: LiveEditVersion.current, mode: options.hasPage ? "studio" : "serve",
        mayWrite: policy.access(of: request) == .writing, shares: options.shareTo != nil,
        folders: folders.all.map {
          SessionAnswer.Folder(folder: $0.number, name: $0.name, mayWrite: $0.isWritable)
        }, sandbox: HelperRenderer.sandboxWarning.map(Spoken.init)))
  }

  func end() throws(RouteError) -> HTTPResponse {
    guard options.hasPage else { throw .forbidden("clients cannot stop this server") }
    quit()
    return HTTPResponse(json: EmptyAnswer())
  }

  /// Makes the paths in an error relative to the served folders.
  func relative(_ error: RouteError) -> RouteError {
    guard case .failed(var failure) = error else { return error }
    failure.file = failure.file.map(relative)
    failure.problem = failure.problem.mapTexts(relative)
    failure.remedy = failure.remedy?.mapTexts(relative)
    return .failed(failure)
  }

  /// Makes the paths in a string relative to the served folders.
  func relative(_ text: String) -> String {
    var text = text
    // The longest path comes first, because one root may be inside another.
    for root in folders.roots.sorted(by: { $0.utf8.count > $1.utf8.count }) {
      text = text.replacing(root + "/", with: "")
    }
    return text
  }

  /// Returns LiveEdit's result as JSON, with paths relative to the served folders.
  ///
  /// - Parameter asset: The opaque name of the asset to which the result refers.
  func json(_ answer: Answer, of asset: String? = nil) -> RawJSON {
    var answer = answer
    if let asset { answer.members["asset"] = .string(asset) }
    return raw(answer)
  }

  /// Returns the result for a failed action, with paths relative to the served folders.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - file: The path of the file to which the error refers.
  ///   - asset: The opaque name of the asset to which the error refers.
  ///   - members: Additional members of the result.
  func failure(
    _ error: EditError, _ file: String?, of asset: String? = nil, with members: [String: JSONValue] = [:]
  ) -> RawJSON {
    var parts: [String: JSONValue] = ["code": .string(error.code.rawValue)]
    if let file = error.file { parts["file"] = .string(file) }
    parts["problem"] = .message(error.problem)
    if let remedy = error.remedy { parts["remedy"] = .message(remedy) }
    let failure = ["error": JSONValue.object(parts), "message": .message(error.message)]
    return json(Answer(.failed, file: file, members.merging(failure) { $1 }), of: asset)
  }
}

/// A response body without members.
struct EmptyAnswer: Encodable {
  var schema = 1
}

private struct SessionAnswer: Encodable {
  struct Folder: Encodable {
    var folder: Int
    var name: String
    var mayWrite: Bool
  }
  var schema = 1
  var version: String
  var mode: String
  var mayWrite: Bool
  var shares: Bool
  var folders: [Folder]
  var sandbox: Spoken?
}
