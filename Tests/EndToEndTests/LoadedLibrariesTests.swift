import TestSupport
import Testing

/// What reads strangers' files outside of the helper's walls is Swift: the programs load no library that decodes a picture, a movie, a
/// profile or a document.
@Suite struct LoadedLibrariesTests {
  /// Those that see bytes of strangers' files (SECURITY.md says which), and then the system's and Swift's own.
  private static let known = [
    "libcrypto", "libsqlite3", "libz", "libc", "libm", "libgcc_s", "libstdc++", "libdl", "libpthread",
    "librt",
    "libFoundationEssentials", "lib_FoundationCShims", "lib_FoundationCollections", "libdispatch",
    "libBlocksRuntime",
  ]

  @Test(arguments: ["liveedit", "liveedit-studio"])
  func programsLoadNoDecoder(_ program: String) throws {
    let path = Command.programs.appendingPathComponent(program).path
    let needed = try Tools.output("readelf", "-d", path).lines.filter { $0.contains("(NEEDED)") }
      .compactMap { $0.split(separator: "[").last?.split(separator: ".").first.map(String.init) }
    let strange = needed.filter { name in
      !Self.known.contains(name) && !name.hasPrefix("libswift") && !name.hasPrefix("ld-linux")
        && !(program == "liveedit-studio" && name == "libmicrohttpd")
    }
    #expect(needed.contains("libsqlite3") && strange.isEmpty, "\(strange)")
  }

  /// The test would see one.
  @Test func theHelperLoadsThem() throws {
    let path = Command.programs.appendingPathComponent("liveedit-render").path
    let needed = try Tools.output("readelf", "-d", path).text
    #expect(needed.contains("[libavcodec.") && needed.contains("[libturbojpeg."))
  }
}
