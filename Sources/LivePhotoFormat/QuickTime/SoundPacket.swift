import Basics

/// An audio packet, which determines the sizes of samples if the sample size table does not state these sizes.
struct SoundPacket: Hashable, Sendable {
  /// The number of samples in a packet. The value is at least 1.
  let samples: Int
  /// The size of a packet in bytes, including all channels. The value is at least 1.
  let bytes: Int
}

extension SoundPacket {
  /// Reads the first audio sample description of a track (QuickTime File Format, “Sound Sample Descriptions”).
  ///
  /// Version 2 states the size of uncompressed samples. Version 1 states the packet size of any constant-rate format.
  /// In version 0, the size is calculated from the number of channels and the number of bits per sample.
  ///
  /// - Returns: The packet, or nil if the description does not determine sizes.
  init?(stsd: Atom) throws {
    // If several descriptions existed, the same size table could have several meanings.
    guard try stsd.sampleDescriptionCount == 1 else { return nil }
    var reader = BigEndianReader(stsd.bytes)
    guard reader.remaining >= 16 + 28 else { return nil }
    try reader.skip(12)
    let format = try reader.fourCC()
    let isUncompressed = Self.uncompressed.contains(format)
    let isLogarithmic = format == "ulaw" || format == "alaw"
    try reader.skip(8)
    let version = try reader.uint16()
    try reader.skip(6)
    let channels = Int(try reader.uint16())
    let bits = Int(try reader.uint16())
    let compression = try reader.uint16()
    try reader.skip(6)
    switch version {
    case 2:
      guard isUncompressed else { return nil }
      try reader.skip(28)
      samples = 1
      bytes = Int(try reader.uint32())
    case 1:
      let variable: UInt16 = 0xFFFE
      guard isUncompressed || compression != variable else { return nil }
      let perPacket = Int(try reader.uint32())
      try reader.skip(4)
      samples = isUncompressed ? 1 : perPacket
      bytes = Int(try reader.uint32())
      if !isUncompressed && (samples == 0 || bytes == 0) { return nil }
    default:
      guard isUncompressed || isLogarithmic else { return nil }
      samples = 1
      bytes = channels * (isLogarithmic ? 1 : max(1, bits / 8))
    }
    guard bytes > 0 else { throw MediaError("the audio description gives a sample size of zero bytes") }
  }

  private static let uncompressed: Set<FourCC> = [
    "lpcm", "sowt", "twos", "raw ", "in24", "in32", "fl32", "fl64", "NONE",
  ]
}
