import TestSupport
import Testing

/// Tests that only Swift code reads untrusted files outside the confined helper: the programs do not load any library
/// that decodes pictures, movies, profiles or documents.
@Suite struct LoadedLibrariesTests {
  /// Libraries that process data from untrusted files (SECURITY.md lists them), then the libraries of the system and of
  /// Swift.
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

  /// The helper does load such libraries, so the test above would detect one.
  @Test func theHelperLoadsThem() throws {
    let path = Command.programs.appendingPathComponent("liveedit-render").path
    let needed = try Tools.output("readelf", "-d", path).text
    #expect(needed.contains("[libavcodec.") && needed.contains("[libturbojpeg."))
  }
}
