internal import Basics

/// The routing of requests.
extension Studio {
  /// Returns the reason why a request is refused before its body is read.
  func refusal(of request: HTTPRequest) -> RouteError? {
    if let refusal = policy.refusal(of: request) { return refusal }
    guard request.isReading || request.method == "POST" else {
      return .usage("only GET, HEAD and POST are supported", status: 405)
    }
    guard request.path.hasPrefix(policy.base) else { return .notFound("nothing is served at this address") }
    let place = request.path.dropFirst(policy.base.count)
    guard place.hasPrefix("api/") else {
      return request.isReading ? nil : .usage("only routes under api/ accept POST", status: 405)
    }
    switch (policy.access(of: request), request.isReading) {
    case (.none, _): return .unauthorized("this request needs the server's secret")
    case (.reading, false): return .unauthorized("this tab does not have the key needed for changes")
    default: break
    }
    if !request.isReading {
      let type = request.headers["content-type"]?.split(separator: ";").first?.trimmed.lowercased()
      guard type == "application/json" else {
        return .usage("the body must be JSON with the Content-Type application/json", status: 415)
      }
    }
    return nil
  }

  /// Handles a request that was not refused.
  func answer(_ request: HTTPRequest) async throws(RouteError) -> HTTPResponse {
    let place = request.path.dropFirst(policy.base.count)
    guard place.hasPrefix("api/1/") else {
      if place.hasPrefix("api/") { throw .notFound("this route does not exist") }
      return try page(String(place), request)
    }
    let parts = place.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    if request.isReading {
      switch (parts.count, parts[0]) {
      case (1, "session"): return try await session(request)
      case (1, "sections"): return try await sections(request)
      case (1, "assets"): return try await assets(request)
      case (1, "names"): return try assetNames(request)
      case (1, "filter"): return await filter(request)
      case (1, "presets"): return try await presets()
      case (1, "parameters"): return parameters()
      case (1, "albums"): return try await albums()
      case (1, "jobs"): return HTTPResponse(json: JobsAnswer(jobs: jobs.all))
      case (1, "events"): return eventStream(request)
      case (2, "jobs"): return HTTPResponse(json: JobAnswer(job: try jobs.job(parts[1])))
      case (3, "downloads"): return try download(parts[1], parts[2], request)
      case (2, "assets"), (3, "assets"), (4, "assets"):
        return try await asset(Array(parts.dropFirst()), request)
      default: throw .notFound("this route does not exist")
      }
    }
    switch (parts.count, parts[0], parts.last) {
    case (1, "view", _): return try look(request)
    case (1, "edits", _): return try await edit(request)
    case (1, "marks", _): return try await mark(request)
    case (1, "albums", _): return try await changeAlbum(request)
    case (1, "share", _): return try await share(request)
    case (1, "presets", _): return try await savePreset(request)
    case (1, "kept-edits", _): return try keepEdit(request)
    case (1, "quit", _): return try end()
    case (3, "jobs", "cancel"): return HTTPResponse(json: JobAnswer(job: try jobs.cancel(parts[1])))
    case (3, "jobs", "dismiss"):
      let job = try jobs.dismiss(parts[1])
      downloads.remove(job.job)
      return HTTPResponse(json: JobAnswer(job: job))
    default: throw .notFound("this route does not exist, or does not accept POST")
    }
  }
}
