import Basics

/// Changes sequence parameter sets of H.264 (ITU-T H.264, sections 7.3.2.1.1 and E.1.1).
enum SequenceParameterSet {
  /// The profiles whose parameter sets tell the chroma layout and the bit depth (section 7.3.2.1.1).
  private static let profilesWithChroma: Set<Int> = [
    44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244,
  ]
  /// The number of the sample aspect ratio that is given by its sides (table E-1).
  private static let extendedAspect = 255

  /// Takes the timing information out of the parameter sets in the content of an `avcC` box (ISO/IEC 14496-15, section
  /// 5.3.3.1). x264 always writes one tick of the time scale there, which players take for the frame rate.
  ///
  /// - Throws: ``MediaError`` when a parameter set is broken, or of a kind that x264 does not write.
  static func removeTiming(fromConfiguration configuration: [UInt8]) throws -> [UInt8] {
    guard configuration.count > 6 else { throw unreadable }
    var result = Array(configuration[..<6])
    var rest = configuration[6...]
    for _ in 0..<Int(configuration[5] & 31) {
      guard rest.count >= 2 else { throw unreadable }
      let size = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
      guard size > 4, size <= rest.count - 2 else { throw unreadable }
      let unit = try removeTiming(from: rest.dropFirst(2).prefix(size))
      result += [UInt8(truncatingIfNeeded: unit.count >> 8), UInt8(truncatingIfNeeded: unit.count)] + unit
      rest = rest.dropFirst(2 + size)
    }
    return result + rest
  }

  /// Takes the timing information out of a parameter set.
  ///
  /// - Parameter unit: the NAL unit.
  /// - Returns: the unit without timing information; the same where there was none.
  private static func removeTiming(from unit: ArraySlice<UInt8>) throws -> [UInt8] {
    var reader = Bits(NALUnits.payload(of: unit.dropFirst(1)))
    guard let flag = try timingFlag(&reader), try reader.number(1) == 1 else { return Array(unit) }
    var bits = Array(reader.bits[..<flag]) + [false]
    // Units in a tick, the time scale, and whether the rate is fixed.
    _ = try reader.number(32)
    _ = try reader.number(32)
    _ = try reader.number(1)
    // The last bit that is set ends the payload.
    guard let stop = reader.bits.lastIndex(of: true), stop >= reader.position else { throw unreadable }
    bits += reader.bits[reader.position...stop]
    bits += [Bool](repeating: false, count: (8 - bits.count % 8) % 8)
    let payload = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    return Array(unit.prefix(1)) + NALUnits.protected(payload)
  }

  /// Reads a parameter set up to the flag that says whether there is timing information.
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
    return reader.position
  }

  private static var unreadable: MediaError {
    MediaError("the video encoder's parameter sets cannot be read")
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
