import Codecs
import Foundation
import TestSupport
import Testing

/// Compares the list of libraries with the files that the kernel has mapped, and their build IDs with those that
/// readelf prints.
@Test func theLoadedLibrariesAreNamedWithTheirBuilds() throws {
  // A library may be loaded through a link to its file.
  let handle = try #require(FileHandle(forReadingAtPath: "/proc/self/maps"))
  let maps = String(decoding: handle.readDataToEndOfFile(), as: UTF8.self)
  let mapped = Set(maps.split(separator: "\n").compactMap { $0.split(separator: " ").dropFirst(5).first })
  let entries = LibraryBuilds.loaded.split(separator: " ")
  #expect(entries == entries.sorted())
  for name in ["avcodec", "avformat", "avutil", "swscale", "x264", "x265", "turbojpeg"] {
    let file = try #require(mapped.first { $0.contains("/lib\(name).so") })
    let notes = try Tools.output("readelf", "-n", String(file)).text
    let build = try #require(notes.firstMatch(of: /Build ID: ([0-9a-f]{8})/)).1
    #expect(
      entries.contains { $0.hasPrefix("lib\(name).so.") && $0.hasSuffix("-\(build)") }, "\(name): \(entries)")
  }
}
