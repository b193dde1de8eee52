extension Studio {
  /// A file of the page: its address, its content type and its bytes. The files are embedded in the program.
  private static let files: [(path: String, type: String, bytes: [UInt8])] = [
    ("index.html", "text/html; charset=utf-8", PackageResources.index_html),
    ("enter.js", "text/javascript; charset=utf-8", PackageResources.enter_js),
    ("page.js", "text/javascript; charset=utf-8", PackageResources.page_js),
  ]

  /// A file of the page, or the answer to the address that the browser is opened with.
  func page(_ place: String, _ request: HTTPRequest) throws(RouteError) -> HTTPResponse {
    guard options.hasPage else { throw .notFound("this server has no page, only routes below api/1/") }
    if place.isEmpty, let token = request.query["token"] {
      guard policy.token.matches(token) else { return Self.stranger }
      return entrance
    }
    guard policy.access(of: request) != .none else { return Self.stranger }
    let name = place.isEmpty ? "index.html" : place
    guard let file = Self.files.first(where: { $0.path == name }) else {
      throw .notFound("there is no such file")
    }
    return HTTPResponse(200, type: file.type, file.bytes)
  }

  /// The answer to who has no cookie, for people to read.
  private static var stranger: HTTPResponse {
    let html = """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <title>liveedit</title>
      <p>This page is for the browser that liveedit studio opened. Open the address that it printed, or start it again.</p>
      </html>

      """
    return HTTPResponse(401, type: "text/html; charset=utf-8", Array(html.utf8))
  }

  /// The answer that gives a browser its secrets: a cookie, and a key for its tab. It is a page and no redirection, which
  /// browsers follow without a cookie that is for requests from the same site alone.
  private var entrance: HTTPResponse {
    let html = """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="liveedit-key" content="\(policy.key.text)">
      <title>liveedit</title>
      <noscript>This page needs JavaScript.</noscript>
      <script src="enter.js"></script>
      </html>

      """
    var answer = HTTPResponse(200, type: "text/html; charset=utf-8", Array(html.utf8))
    answer["Set-Cookie"] = policy.cookieHeader
    return answer
  }
}
