internal import Basics
internal import FileSystem

/// Opens a browser at an address that other users must not see. The browser opens a file that redirects to the address
/// and that only this user can read. The address therefore does not appear in process lists.
final class BrowserOpening: Sendable {
  private let path: String?

  /// Opens the user's browser, or reports why it was not opened.
  ///
  /// - Parameters:
  ///   - address: The address, which contains only characters that need no escaping in HTML.
  ///   - report: A closure that receives notes for the user.
  init(_ address: String, _ report: (Message) -> Void) {
    guard let folder = RuntimeFolder.path else {
      report(
        "no browser was opened: XDG_RUNTIME_DIR is not a folder that only you can access; open the address above"
      )
      path = nil
      return
    }
    let name = "liveedit-\(Secret().text).html"
    let html = """
      <!doctype html>
      <meta charset="utf-8">
      <meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0; url=\(address)">
      <title>liveedit</title>

      """
    do {
      let held = try HeldFolder(path: folder)
      try held.create(name, bytes: Array(html.utf8))
      try held.setPermissions(0o600, of: name)
      try Program.start("xdg-open", arguments: [folder + "/" + name])
    } catch {
      _ = try? File.remove(folder + "/" + name)
      report("no browser could be opened (\(error)); open the address above")
      path = nil
      return
    }
    path = folder + "/" + name
  }

  /// Removes the file that redirects to the address.
  func remove() {
    if let path { _ = try? File.remove(path) }
  }
}
