internal import Basics
internal import EmbeddedFiles
internal import Languages

extension Studio {
  /// The content types by file extension.
  private static let types = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
  ]

  /// Returns one of the page's files, or the response for the address at which the browser is opened.
  func page(_ place: String, _ request: HTTPRequest) throws(RouteError) -> HTTPResponse {
    guard options.hasPage else { throw .notFound("this server has no page, only routes under api/1/") }
    let speaker = request.speaker
    if place.isEmpty, let token = request.query["token"] {
      guard policy.token.matches(token) else { return Self.stranger(speaker) }
      return entrance(speaker)
    }
    guard policy.access(of: request) != .none else { return Self.stranger(speaker) }
    switch place {
    case "", "index.html": return Self.index(speaker)
    case "language.js": return Self.texts(speaker)
    default: break
    }
    guard let bytes = EmbeddedFiles.bytes("studio/" + place),
      let type = place.split(separator: ".").last.flatMap({ Self.types[String($0)] })
    else { throw .notFound("this file does not exist") }
    return HTTPResponse(200, type: type, bytes)
  }

  /// Returns the page in a language.
  private static func index(_ speaker: Speaker) -> HTTPResponse {
    let noScript: Message =
      "This page needs JavaScript. The liveedit command line offers the same features."
    let html = String(decoding: EmbeddedFiles.bytes("studio/index.html") ?? [], as: UTF8.self)
      .replacing("lang=\"en\"", with: "lang=\"\(speaker.language.name.rawValue)\"")
      .replacing(noScript.description, with: escaped(speaker.text(noScript)))
    return Self.html(200, html, speaker)
  }

  /// Returns the module that contains the page's strings in a language: the language, and each string or its plural
  /// forms by name. For English the strings are omitted, because the page itself contains them.
  private static func texts(_ speaker: Speaker) -> HTTPResponse {
    let texts = Voice(speaker).encoded(speaker.named).map { String(decoding: $0.json, as: UTF8.self) } ?? "{}"
    let module = """
      export const LANGUAGE = "\(speaker.language.name.rawValue)";
      export const TRANSLATION = \(texts);

      """
    var answer = HTTPResponse(200, type: types["js"], Array(module.utf8))
    answer.tell(speaker.language)
    return answer
  }

  private static func html(_ status: Int, _ html: String, _ speaker: Speaker) -> HTTPResponse {
    var answer = HTTPResponse(status, type: types["html"], Array(html.utf8))
    answer.tell(speaker.language)
    return answer
  }

  /// Escapes a string for HTML.
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// Returns a response that is readable in a browser, for a client without a cookie.
  private static func stranger(_ speaker: Speaker) -> HTTPResponse {
    let sentence: Message =
      "Only the browser that liveedit studio opened can show this page. Open the printed address, or start liveedit studio again."
    return html(
      401,
      """
      <!doctype html>
      <html lang="\(speaker.language.name.rawValue)">
      <meta charset="utf-8">
      <title>liveedit</title>
      <p>\(escaped(speaker.text(sentence)))</p>
      </html>

      """, speaker)
  }

  /// Returns the response that provides a browser with its secrets: a cookie, and a key for its tab. The response is a
  /// page instead of a redirect, because a browser that follows a redirect does not send cookies that are restricted to
  /// same-site requests.
  private func entrance(_ speaker: Speaker) -> HTTPResponse {
    let noScript: Message = "This page needs JavaScript."
    var answer = Self.html(
      200,
      """
      <!doctype html>
      <html lang="\(speaker.language.name.rawValue)">
      <meta charset="utf-8">
      <meta name="liveedit-key" content="\(policy.key.text)">
      <title>liveedit</title>
      <noscript>\(Self.escaped(speaker.text(noScript)))</noscript>
      <script src="enter.js"></script>
      </html>

      """, speaker)
    answer["Set-Cookie"] = policy.cookieHeader
    return answer
  }
}
