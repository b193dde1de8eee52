import Basics
import EditModel

/// Edits sequence parameter sets of H.264 (ITU-T H.264, sections 7.3.2.1.1 and E.1.1) and HEVC (ITU-T H.265, sections
/// 7.3.2.2.1 and E.2.1).
enum SequenceParameterSet {
  /// The profiles whose parameter sets specify the chroma layout and the bit depth (section 7.3.2.1.1).
  private static let profilesWithChroma: Set<Int> = [
    44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244,
  ]
  /// The code for an explicitly stated sample aspect ratio (table E-1).
  private static let extendedAspect = 255

  /// The NAL unit type of an HEVC sequence parameter set (ITU-T H.265, table 7-1).
  private static let hevcType = 33

  /// Removes the timing information from the parameter sets of an `avcC` or `hvcC` box (ISO/IEC 14496-15, sections
  /// 5.3.3.1 and 8.3.3.1). As timing information, x264 always writes a single tick of the time scale, and x265 writes a
  /// rounded rate. Players mistake these values for the frame rate. x265 has an option to omit timing information, but
  /// x265 3.5 then still writes the flag for hypothetical reference decoder parameters, and strict parsers reject the
  /// data after this flag.
  ///
  /// - Throws: ``MediaError`` if a parameter set is damaged or is of a kind that x264 and x265 do not write.
  static func removeTiming(
    fromConfiguration configuration: [UInt8], codec: RenderSettings.VideoCodec
  ) throws -> [UInt8] {
    var copy = Copy(rest: configuration[...])
    switch codec {
    case .h264:
      try copy.move(6)
      try copy.moveUnits(Int(configuration[5] & 31)) { try removeTiming(from: $0, codec: codec) }
    case .hevc:
      try copy.move(23)
      for _ in 0..<configuration[22] {
        try copy.move(3)
        let head = copy.result.suffix(3).map(Int.init)
        try copy.moveUnits(head[1] << 8 | head[2]) {
          head[0] & 63 == hevcType ? try removeTiming(from: $0, codec: codec) : $0
        }
      }
    }
    return copy.result + copy.rest
  }

  /// Removes the timing information from a parameter set.
  ///
  /// - Parameter unit: The NAL unit.
  /// - Returns: The unit without timing information. If the unit contains no timing information, the unchanged unit is
  ///   returned.
  private static func removeTiming(from unit: [UInt8], codec: RenderSettings.VideoCodec) throws -> [UInt8] {
    let header = codec == .h264 ? 1 : 2
    var reader = Bits(NALUnits.payload(of: unit[header...]))
    let place = codec == .h264 ? try timingFlag(&reader) : try timingFlagOfHEVC(&reader)
    guard let flag = place, try reader.number(1) == 1 else { return unit }
    var bits = Array(reader.bits[..<flag]) + [false]
    // Skips the number of units in a tick, and the time scale.
    _ = try reader.number(32)
    _ = try reader.number(32)
    if codec == .h264 {
      // Skips the flag that states whether the frame rate is fixed.
      _ = try reader.number(1)
    } else {
      // Skips the number of ticks between pictures. Hypothetical reference decoder parameters are never requested from
      // x265.
      if try reader.number(1) == 1 { _ = try reader.exponential() }
      guard try reader.number(1) == 0 else { throw unreadable }
    }
    // The last set bit marks the end of the payload.
    guard let stop = reader.bits.lastIndex(of: true), stop >= reader.position else { throw unreadable }
    bits += reader.bits[reader.position...stop]
    bits += [Bool](repeating: false, count: (8 - bits.count % 8) % 8)
    let payload = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    return Array(unit.prefix(header)) + NALUnits.protected(payload)
  }

  /// Reads an H.264 parameter set up to the flag for timing information.
  ///
  /// - Returns: The position of the flag, or nil if the parameter set has no video usability information.
  private static func timingFlag(_ reader: inout Bits) throws -> Int? {
    let profile = try reader.number(8)
    _ = try reader.number(16)
    _ = try reader.exponential()
    if profilesWithChroma.contains(profile) {
      if try reader.exponential() == 3 { _ = try reader.number(1) }
      _ = try reader.exponential()
      _ = try reader.exponential()
      _ = try reader.number(1)
      // Scaling lists are never requested from x264.
      guard try reader.number(1) == 0 else { throw unreadable }
    }
    _ = try reader.exponential()
    switch try reader.exponential() {
    case 0: _ = try reader.exponential()
    case 2: break
    default: throw unreadable
    }
    _ = try reader.exponential()
    _ = try reader.number(1)
    _ = try reader.exponential()
    _ = try reader.exponential()
    if try reader.number(1) == 0 { _ = try reader.number(1) }
    _ = try reader.number(1)
    if try reader.number(1) == 1 { for _ in 0..<4 { _ = try reader.exponential() } }
    guard try reader.number(1) == 1 else { return nil }
    try skipAppearance(&reader)
    return reader.position
  }

  /// Reads an HEVC parameter set up to the flag for timing information.
  ///
  /// - Returns: The position of the flag, or nil if the parameter set has no video usability information.
  private static func timingFlagOfHEVC(_ reader: inout Bits) throws -> Int? {
    _ = try reader.number(4)
    // Temporal layers are never requested from x265.
    guard try reader.number(3) == 0 else { throw unreadable }
    _ = try reader.number(1)
    // Skips the profile, constraints and level.
    for _ in 0..<3 { _ = try reader.number(32) }
    _ = try reader.exponential()
    if try reader.exponential() == 3 { _ = try reader.number(1) }
    for _ in 0..<2 { _ = try reader.exponential() }
    if try reader.number(1) == 1 { for _ in 0..<4 { _ = try reader.exponential() } }
    for _ in 0..<3 { _ = try reader.exponential() }
    _ = try reader.number(1)
    // Skips the picture buffer and the block sizes.
    for _ in 0..<9 { _ = try reader.exponential() }
    // Scaling lists are never requested from x265.
    guard try reader.number(1) == 0 else { throw unreadable }
    _ = try reader.number(2)
    // PCM samples and reference picture sets are rejected, because x265 does not write them here.
    guard try reader.number(1) == 0, try reader.exponential() == 0, try reader.number(1) == 0 else {
      throw unreadable
    }
    _ = try reader.number(2)
    guard try reader.number(1) == 1 else { return nil }
    try skipAppearance(&reader)
    _ = try reader.number(3)
    if try reader.number(1) == 1 { for _ in 0..<4 { _ = try reader.exponential() } }
    return reader.position
  }

  /// Skips the beginning of the video usability information, which is the same in both codecs: the pixel shape,
  /// overscan, colours, and chroma location.
  private static func skipAppearance(_ reader: inout Bits) throws {
    if try reader.number(1) == 1, try reader.number(8) == extendedAspect { _ = try reader.number(32) }
    if try reader.number(1) == 1 { _ = try reader.number(1) }
    if try reader.number(1) == 1 {
      _ = try reader.number(4)
      if try reader.number(1) == 1 { _ = try reader.number(24) }
    }
    if try reader.number(1) == 1 {
      _ = try reader.exponential()
      _ = try reader.exponential()
    }
  }

  private static var unreadable: MediaError {
    MediaError("the video encoder's parameter sets cannot be read")
  }

  /// A copy of a configuration that is assembled piece by piece.
  private struct Copy {
    var rest: ArraySlice<UInt8>
    var result: [UInt8] = []

    mutating func move(_ count: Int) throws {
      guard rest.count >= count else { throw unreadable }
      result += rest.prefix(count)
      rest = rest.dropFirst(count)
    }

    /// Copies NAL units, each preceded by its size in two bytes, and applies a change to each unit.
    mutating func moveUnits(_ count: Int, _ change: ([UInt8]) throws -> [UInt8]) throws {
      for _ in 0..<count {
        guard rest.count >= 2 else { throw unreadable }
        let size = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        guard size > 2, size <= rest.count - 2 else { throw unreadable }
        let unit = try change(Array(rest.dropFirst(2).prefix(size)))
        result += [UInt8(truncatingIfNeeded: unit.count >> 8), UInt8(truncatingIfNeeded: unit.count)] + unit
        rest = rest.dropFirst(2 + size)
      }
    }
  }

  /// A bit reader. The most significant bit of each byte comes first.
  private struct Bits {
    let bits: [Bool]
    private(set) var position = 0

    init(_ bytes: [UInt8]) {
      bits = bytes.flatMap { byte in (0..<8).map { byte << UInt8($0) & 0x80 != 0 } }
    }

    /// Reads a number of up to 32 bits.
    mutating func number(_ count: Int) throws -> Int {
      guard count <= bits.count - position else { throw unreadable }
      defer { position += count }
      return bits[position..<position + count].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
    }

    /// Reads a number in Exp-Golomb code (section 9.1). The code consists of a run of zero bits, a one bit, and as many
    /// further bits as the run has zeros. A signed number has the same length.
    mutating func exponential() throws -> Int {
      var zeros = 0
      while try number(1) == 0 { zeros += 1 }
      guard zeros < 32 else { throw unreadable }
      return try (1 << zeros) - 1 + number(zeros)
    }
  }
}
