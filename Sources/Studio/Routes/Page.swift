extension Studio {
  /// The files of the page, which are embedded in the program: address and bytes.
  private static let files: [String: [UInt8]] = [
    "actions.js": PackageResources.actions_js,
    "albums.js": PackageResources.albums_js,
    "api.js": PackageResources.api_js,
    "assets.js": PackageResources.assets_js,
    "compare.js": PackageResources.compare_js,
    "dialog.js": PackageResources.dialog_js,
    "dom.js": PackageResources.dom_js,
    "editcrop.js": PackageResources.editcrop_js,
    "editcurve.js": PackageResources.editcurve_js,
    "editdial.js": PackageResources.editdial_js,
    "editdraft.js": PackageResources.editdraft_js,
    "editeffect.js": PackageResources.editeffect_js,
    "editengine.js": PackageResources.editengine_js,
    "editmotion.js": PackageResources.editmotion_js,
    "editor.css": PackageResources.editor_css,
    "editor.js": PackageResources.editor_js,
    "editpanel.js": PackageResources.editpanel_js,
    "editpreview.js": PackageResources.editpreview_js,
    "editslider.js": PackageResources.editslider_js,
    "edittables.js": PackageResources.edittables_js,
    "enter.js": PackageResources.enter_js,
    "events.js": PackageResources.events_js,
    "facts.js": PackageResources.facts_js,
    "grid.js": PackageResources.grid_js,
    "icon.svg": PackageResources.icon_svg,
    "index.html": PackageResources.index_html,
    "keys.js": PackageResources.keys_js,
    "layout.js": PackageResources.layout_js,
    "livephoto.js": PackageResources.livephoto_js,
    "main.js": PackageResources.main_js,
    "presetdialog.js": PackageResources.presetdialog_js,
    "presets.js": PackageResources.presets_js,
    "removals.js": PackageResources.removals_js,
    "scrubber.js": PackageResources.scrubber_js,
    "search.js": PackageResources.search_js,
    "selection.js": PackageResources.selection_js,
    "share.js": PackageResources.share_js,
    "strings.js": PackageResources.strings_js,
    "style.css": PackageResources.style_css,
    "tile.js": PackageResources.tile_js,
    "tray.js": PackageResources.tray_js,
    "versions.js": PackageResources.versions_js,
    "viewer.js": PackageResources.viewer_js,
  ]

  /// Content types by extension.
  private static let types = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
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
    guard let bytes = Self.files[name],
      let type = name.split(separator: ".").last.flatMap({ Self.types[String($0)] })
    else { throw .notFound("there is no such file") }
    return HTTPResponse(200, type: type, bytes)
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
