import EditModel

/// Converts the byte stream that encoders write (H.264 and HEVC annex B) to QuickTime samples, in which every NAL unit
/// is preceded by its length (ISO/IEC 14496-15 section 5.3.4.2).
enum NALUnits {
  /// Converts a coded picture.
  ///
  /// Parameter sets are omitted because the sample entry contains them. Access unit delimiters and the encoder's
  /// message about itself (SEI `user_data_unregistered`) are also omitted.
  ///
  /// - Parameters:
  ///   - stream: The NAL units, each preceded by a start code.
  ///   - codec: The codec of the NAL units.
  /// - Returns: The NAL units, each preceded by a length of four bytes.
  static func lengthPrefixed(
    _ stream: UnsafeBufferPointer<UInt8>, codec: RenderSettings.VideoCodec
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(stream.count + 16)
    var start = nextStartCode(stream, from: 0)
    while start < stream.count {
      let body = start + 3
      let next = nextStartCode(stream, from: body)
      var end = next
      // Trailing zeros, and the zero byte of a longer start code, do not belong to the unit.
      while end > body, stream[end - 1] == 0 { end -= 1 }
      if end > body, belongsInSample(stream, body..<end, codec) {
        let count = UInt32(truncatingIfNeeded: end - body)
        for shift in [24, 16, 8, 0] { result.append(UInt8(truncatingIfNeeded: count >> UInt32(shift))) }
        result.append(contentsOf: UnsafeBufferPointer(rebasing: stream[body..<end]))
      }
      start = next
    }
    return result
  }

  /// Returns the position of the next start code (00 00 01), or the end of the stream.
  private static func nextStartCode(_ stream: UnsafeBufferPointer<UInt8>, from: Int) -> Int {
    var at = from
    while at &+ 2 < stream.count {
      let third = stream[at &+ 2]
      if third > 1 {
        at &+= 3
      } else if third == 1, stream[at] == 0, stream[at &+ 1] == 0 {
        return at
      } else {
        at &+= 1
      }
    }
    return stream.count
  }

  private static func belongsInSample(
    _ stream: UnsafeBufferPointer<UInt8>, _ unit: Range<Int>, _ codec: RenderSettings.VideoCodec
  ) -> Bool {
    let unregisteredUserData: UInt8 = 5
    switch codec {
    case .h264:  // H.264 table 7-1: 6 SEI, 7 and 8 parameter sets, 9 delimiter
      let type = stream[unit.lowerBound] & 31
      return !(7...9).contains(type)
        && !(type == 6 && unit.count > 1 && stream[unit.lowerBound + 1] == unregisteredUserData)
    case .hevc:  // HEVC table 7-1: 32 to 34 parameter sets, 35 delimiter, 39 prefix SEI
      let type = stream[unit.lowerBound] >> 1 & 63
      return !(32...35).contains(type)
        && !(type == 39 && unit.count > 2 && stream[unit.lowerBound + 2] == unregisteredUserData)
    }
  }

  /// Returns the payload of a NAL unit without emulation prevention bytes, which prevent start codes from occurring in
  /// the payload (ITU-T H.264, section 7.3.1; H.265, section 7.3.1.1).
  ///
  /// - Parameter bytes: The bytes after the NAL unit's header.
  static func payload(of bytes: some Sequence<UInt8>) -> [UInt8] {
    var payload: [UInt8] = []
    var zeros = 0
    for byte in bytes {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      payload.append(byte)
    }
    return payload
  }

  /// Inserts emulation prevention bytes into a payload, so that the payload cannot contain start codes. This is the
  /// inverse of ``payload(of:)``.
  static func protected(_ payload: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var zeros = 0
    for byte in payload {
      if zeros >= 2, byte <= 3 {
        bytes.append(3)
        zeros = 0
      }
      zeros = byte == 0 ? zeros + 1 : 0
      bytes.append(byte)
    }
    return bytes
  }
}
