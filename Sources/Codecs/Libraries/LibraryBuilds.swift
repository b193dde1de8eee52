internal import CFFmpeg
internal import CLinux
import EditModel

/// The builds of the shared libraries that determine the bytes of a rendered file.
package enum LibraryBuilds {
  /// The names of the codec libraries, their dependencies, and the mathematics library that is used for colour tables.
  private static let names = [
    "libavcodec", "libavformat", "libavutil", "libswscale", "libx264", "libx265", "libturbojpeg", "liblcms2",
    "libm",
  ]

  /// The loaded libraries, each with the first digits of its GNU build identifier, for example
  /// `libx264.so.164-a53558b5`. The entries are sorted and separated by spaces. A library without a build identifier is
  /// listed only by its name.
  ///
  /// The libraries are enumerated with the C function `dl_iterate_phdr`.
  package static let loaded: String = {
    var found: [String] = []
    withUnsafeMutablePointer(to: &found) { found in
      _ = dl_iterate_phdr(
        { object, _, found in
          if let object, let name = LibraryBuilds.describe(object.pointee) {
            found?.assumingMemoryBound(to: [String].self).pointee.append(name)
          }
          return 0
        }, found)
    }
    return found.sorted().joined(separator: " ")
  }()

  /// The loaded libraries and their versions.
  ///
  /// The versions come from the C functions `avcodec_version` and its counterparts, and `av_version_info`.
  package static var described: [LinkedLibrary] {
    let versions = [
      "libavcodec": number(avcodec_version()), "libavformat": number(avformat_version()),
      "libavutil": number(avutil_version()), "libswscale": number(swscale_version()),
    ]
    let loaded = loaded.split(separator: " ").compactMap { object -> LinkedLibrary? in
      let parts = object.split(separator: "-", maxSplits: 1).map(String.init)
      guard let name = parts.first?.split(separator: ".").first.map(String.init) else { return nil }
      let interface = (parts.first ?? "").dropFirst(name.count).drop { !$0.isNumber }
      return LinkedLibrary(
        name: name, version: versions[name] ?? "interface \(interface)",
        build: parts.count > 1 ? parts[1] : nil)
    }
    return [LinkedLibrary(name: "FFmpeg", version: String(cString: av_version_info()))] + loaded
  }

  /// Formats a version of FFmpeg's libraries, which consists of three numbers with 16, 8 and 8 bits.
  private static func number(_ version: UInt32) -> String {
    "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)"
  }

  private static func describe(_ object: liveedit_loaded_object) -> String? {
    guard let path = object.name, let headers = object.headers,
      let name = String(cString: path).split(separator: "/").last,
      names.contains(where: { name.hasPrefix($0 + ".") })
    else { return nil }
    for header in UnsafeBufferPointer(start: headers, count: Int(object.count))
    where header.p_type == UInt32(PT_NOTE) {
      // The loader has mapped the entire segment into memory.
      guard let start = UnsafeRawPointer(bitPattern: UInt(object.address &+ header.p_vaddr)) else { continue }
      let notes = UnsafeRawBufferPointer(start: start, count: Int(header.p_memsz))
      if let identifier = buildIdentifier(in: notes) { return "\(name)-\(identifier)" }
    }
    return String(name)
  }

  /// Returns the first eight digits of the build identifier from the notes in a segment (ELF, “Note Section”). Each
  /// note contains the size of its name, the size of its descriptor and its type as 32-bit numbers. The name and the
  /// descriptor follow, each padded to four bytes.
  private static func buildIdentifier(in notes: UnsafeRawBufferPointer) -> String? {
    func number(_ at: Int) -> Int { Int(notes.loadUnaligned(fromByteOffset: at, as: UInt32.self)) }
    var at = 0
    while at + 12 <= notes.count {
      let name = at + 12
      let content = name + (number(at) + 3) / 4 * 4
      let size = number(at + 4)
      guard content + size <= notes.count else { return nil }
      if number(at + 8) == Int(NT_GNU_BUILD_ID), notes[name..<content].elementsEqual("GNU\0".utf8) {
        return notes[content..<content + min(size, 4)].map { byte in
          (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
      }
      at = content + (size + 3) / 4 * 4
    }
    return nil
  }
}
