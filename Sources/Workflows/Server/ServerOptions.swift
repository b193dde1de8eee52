import EditModel

/// The options of a server of folders: `liveedit studio` and `liveedit serve` hand it to
/// `liveedit-studio` as JSON, in its only argument.
package struct ServerOptions: Codable, Hashable, Sendable {
  /// The folders, as they were named.
  package var folders: [String]
  /// True if the folders below them are served, too.
  package var isRecursive = false
  /// The folder of a library elsewhere; nil for renders beside the originals.
  package var library: String?
  /// True if there is a page; otherwise there are routes for programs alone.
  package var hasPage: Bool
  /// True if a browser is opened.
  package var opensBrowser = false
  /// The address of a network that is listened at, in numbers.
  package var address = "127.0.0.1"
  /// The port; 0 for one that is free.
  package var port: UInt16 = 0
  /// The file of a socket in place of address and port.
  package var socket: String?
  /// The file that holds the token; nil for a random one.
  package var tokenFile: String?
  /// Names of a reverse proxy that requests may come by.
  package var allowedHosts: [String] = []
  /// The folder below which exports may be written; nil for none.
  package var shareTo: String?
  /// Bytes that previews may have on disk.
  package var previewLimit = 2_000_000_000
  /// The limits of what is read, see ``Basics/ReadingLimit/text``.
  package var limits = ""
  /// True if files are opened only where the system has all of the helper's sandbox, see ``HelperRenderer/requiresSandbox``.
  package var requiresSandbox = false
  /// Bytes that indexes of folders without a library may have on disk; 0 for none.
  package var indexLimit = 500_000_000
  /// The number of assets that are edited at a time.
  package var jobs = 1
  /// The settings of renders that nobody chose any for.
  package var settings = RenderSettings.standard

  /// - Parameters:
  ///   - folders: the folders.
  ///   - hasPage: whether there is a page.
  package init(folders: [String], hasPage: Bool) {
    (self.folders, self.hasPage) = (folders, hasPage)
  }
}
