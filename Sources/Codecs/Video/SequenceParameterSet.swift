import Basics
import EditModel

/// Changes sequence parameter sets of H.264 (ITU-T H.264, sections 7.3.2.1.1 and E.1.1) and of HEVC (ITU-T H.265,
/// sections 7.3.2.2.1 and E.2.1).
enum SequenceParameterSet {
  /// The profiles whose parameter sets tell the chroma layout and the bit depth (section 7.3.2.1.1).
  private static let profilesWithChroma: Set<Int> = [
    44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244,
  ]
  /// The number of the sample aspect ratio that is given by its sides (table E-1).
  private static let extendedAspect = 255

  /// The type of a sequence parameter set among the NAL units of HEVC (ITU-T H.265, table 7-1).
  private static let hevcType = 33

  /// Takes the timing information out of the parameter sets in the content of an `avcC` or `hvcC` box (ISO/IEC 14496-15,
  /// sections 5.3.3.1 and 8.3.3.1). x264 always writes one tick of the time scale there, and x265 a rounded rate, which
  /// players take for the frame rate. x265 can leave it out, but then writes the flag of a hypothetical decoder's
  /// parameters all the same, so that strict parsers refuse what follows (seen in 3.5).
  ///
  /// - Throws: ``MediaError`` when a parameter set is broken, or of a kind that x264 and x265 do not write.
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

  /// Takes the timing information out of a parameter set.
  ///
  /// - Parameter unit: the NAL unit.
  /// - Returns: the unit without timing information; the same where there was none.
  private static func removeTiming(from unit: [UInt8], codec: RenderSettings.VideoCodec) throws -> [UInt8] {
    let header = codec == .h264 ? 1 : 2
    var reader = Bits(NALUnits.payload(of: unit[header...]))
    let place = codec == .h264 ? try timingFlag(&reader) : try timingFlagOfHEVC(&reader)
    guard let flag = place, try reader.number(1) == 1 else { return unit }
    var bits = Array(reader.bits[..<flag]) + [false]
    // Units in a tick, and the time scale.
    _ = try reader.number(32)
    _ = try reader.number(32)
    if codec == .h264 {
      // Whether the rate is fixed.
      _ = try reader.number(1)
    } else {
      // Ticks between pictures, and the parameters of a hypothetical decoder, which nobody asks x265 for.
      if try reader.number(1) == 1 { _ = try reader.exponential() }
      guard try reader.number(1) == 0 else { throw unreadable }
    }
    // The last bit that is set ends the payload.
    guard let stop = reader.bits.lastIndex(of: true), stop >= reader.position else { throw unreadable }
    bits += reader.bits[reader.position...stop]
    bits += [Bool](repeating: false, count: (8 - bits.count % 8) % 8)
    let payload = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    return Array(unit.prefix(header)) + NALUnits.protected(payload)
  }

  /// Reads a parameter set of H.264 up to the flag that says whether there is timing information.
  ///
  /// - Returns: the place of the flag; nil where there is no usability information.
  private static func timingFlag(_ reader: inout Bits) throws -> Int? {
    let profile = try reader.number(8)
    _ = try reader.number(16)
    _ = try reader.exponential()
    if profilesWithChroma.contains(profile) {
      if try reader.exponential() == 3 { _ = try reader.number(1) }
      _ = try reader.exponential()
      _ = try reader.exponential()
      _ = try reader.number(1)
      // Scaling lists, which nobody asks x264 for.
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

  /// Reads a parameter set of HEVC up to the flag that says whether there is timing information.
  ///
  /// - Returns: the place of the flag; nil where there is no usability information.
  private static func timingFlagOfHEVC(_ reader: inout Bits) throws -> Int? {
    _ = try reader.number(4)
    // Layers in time, which nobody asks x265 for.
    guard try reader.number(3) == 0 else { throw unreadable }
    _ = try reader.number(1)
    // Profile, constraints and level.
    for _ in 0..<3 { _ = try reader.number(32) }
    _ = try reader.exponential()
    if try reader.exponential() == 3 { _ = try reader.number(1) }
    for _ in 0..<2 { _ = try reader.exponential() }
    if try reader.number(1) == 1 { for _ in 0..<4 { _ = try reader.exponential() } }
    for _ in 0..<3 { _ = try reader.exponential() }
    _ = try reader.number(1)
    // How many pictures wait, and the sizes of blocks.
    for _ in 0..<9 { _ = try reader.exponential() }
    // Scaling lists, which nobody asks x265 for.
    guard try reader.number(1) == 0 else { throw unreadable }
    _ = try reader.number(2)
    // Samples without coding, and sets of reference pictures, which x265 writes elsewhere or not at all.
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

  /// Reads what usability information begins with in both codecs: the shape of pixels, overscan, colours, and the place of
  /// chroma samples.
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

  /// A copy of a configuration, made a piece at a time.
  private struct Copy {
    var rest: ArraySlice<UInt8>
    var result: [UInt8] = []

    mutating func move(_ count: Int) throws {
      guard rest.count >= count else { throw unreadable }
      result += rest.prefix(count)
      rest = rest.dropFirst(count)
    }

    /// Moves NAL units, each behind its size in two bytes.
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

  /// Reads bits, the most significant of each byte first.
  private struct Bits {
    let bits: [Bool]
    private(set) var position = 0

    init(_ bytes: [UInt8]) {
      bits = bytes.flatMap { byte in (0..<8).map { byte << UInt8($0) & 0x80 != 0 } }
    }

    /// A number of some bits, up to 32.
    mutating func number(_ count: Int) throws -> Int {
      guard count <= bits.count - position else { throw unreadable }
      defer { position += count }
      return bits[position..<position + count].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
    }

    /// A number in Exp-Golomb code (section 9.1): as many zeros as digits follow the first one. A signed number has the same
    /// length.
    mutating func exponential() throws -> Int {
      var zeros = 0
      while try number(1) == 0 { zeros += 1 }
      guard zeros < 32 else { throw unreadable }
      return try (1 << zeros) - 1 + number(zeros)
    }
  }
}
