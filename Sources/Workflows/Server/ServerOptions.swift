import EditModel

/// The options of a server for folders. `liveedit studio` and `liveedit serve` pass them to `liveedit-studio` as JSON
/// in its only argument.
package struct ServerOptions: Codable, Hashable, Sendable {
  /// The folders, as the user named them.
  package var folders: [String]
  /// Whether subfolders are also served.
  package var isRecursive = false
  /// The folder of a separate library, or nil for renders beside the originals.
  package var library: String?
  /// Whether the server provides a web page in addition to the HTTP API.
  package var hasPage: Bool
  /// Whether a browser is opened.
  package var opensBrowser = false
  /// The numeric network address at which the server listens.
  package var address = "127.0.0.1"
  /// The port, or 0 for any free port.
  package var port: UInt16 = 0
  /// The path of a Unix socket that is used instead of an address and port.
  package var socket: String?
  /// The file that contains the token, or nil for a random token.
  package var tokenFile: String?
  /// The host names of a reverse proxy through which requests may arrive.
  package var allowedHosts: [String] = []
  /// The folder inside which exports may be written, or nil to allow no exports.
  package var shareTo: String?
  /// The maximum size of all stored previews in bytes.
  package var previewLimit = 2_000_000_000
  /// The limits for reading files; see ``Basics/ReadingLimit/text``.
  package var limits = ""
  /// Whether files are opened only if the system supports the complete sandbox of the render helper, see
  /// ``HelperRenderer/requiresSandbox``.
  package var requiresSandbox = false
  /// The maximum size in bytes of the stored indexes for folders without a library. If the size is 0, no indexes are
  /// stored.
  package var indexLimit = 500_000_000
  /// The number of assets that are edited in parallel.
  package var jobs = 1
  /// The settings of renders for which the user chose no settings.
  package var settings = RenderSettings.standard

  /// - Parameters:
  ///   - folders: The folders to serve.
  ///   - hasPage: Whether the server provides a web page.
  package init(folders: [String], hasPage: Bool) {
    (self.folders, self.hasPage) = (folders, hasPage)
  }
}
