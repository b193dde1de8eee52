#if DEBUG || TESTABLE
  @testable import Codecs
  import EditModel

  extension FuzzTarget {
    /// Fuzzes the parts of coded media that the helper reads itself, without libraries: NAL units, picture hashes in
    /// them, the header of a JPEG's coded data, and the signature of a container.
    static let coded = FuzzTarget(
      "coded",
      words: [
        "\0\0\u{1}", "\0\0\0\u{1}", "\0\0\u{3}", "P\u{1}\u{84}", "ftypqt  ", "moov", "RIFF\0\0\0\0AVI ",
        "OggS", "FLV\u{1}",
        "\0\0\u{1}\u{BA}",
      ],
      seeds: { name, file in
        if name.isEmpty { return [hashes, [UInt8](repeating: 0x47, count: 4096)] }
        if ends(name, "jpg", "jpeg") { return [Array(file.prefix(4096))] }
        guard ends(name, "mov"), let media = file.place(of: "mdat".utf8) else { return [] }
        return [Array(file[media...].dropFirst(4).prefix(8192)), Array(file.prefix(64))]
      },
      body: { input in
        input.withUnsafeBufferPointer { bytes in
          for size in 1...4 { _ = PictureHash(in: bytes, lengthSize: size) }
          for codec in [RenderSettings.VideoCodec.h264, .hevc] {
            let units = NALUnits.lengthPrefixed(bytes, codec: codec)
            var place = 0
            while place < units.count {
              guard units.count - place > 4 else { broken("a length has no unit") }
              let length = units[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
              expect(length > 0 && length <= units.count - place - 4, "a unit is longer than its sample")
              place += 4 + length
            }
          }
        }
        _ = AllowedFormats.container(of: Array(input.prefix(4096)))
        answering {
          let header = try JPEGCodingHeader(input)
          expect(header.width > 0 && header.height > 0 && header.unit.width > 0, "a picture has no size")
        }
      })

    /// A NAL unit with the MD5 hashes of three planes, and a NAL unit with their checksums.
    private static let hashes: [UInt8] = [(0, 16), (2, 4)].flatMap { kind, width -> [UInt8] in
      let message = [132, UInt8(1 + 3 * width), UInt8(kind)] + (0..<UInt8(3 * width))
      return [0, 0, 0, UInt8(message.count + 2), 80, 1] + message
    }
  }
#endif
