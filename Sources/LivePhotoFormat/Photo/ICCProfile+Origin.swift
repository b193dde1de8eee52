/// A profile in a JPEG, and what it says of who made it and when.
extension ICCProfile {
  /// What a segment with a part of a profile begins with (ICC.1:2022 annex B.4); the part's number and how many there
  /// are come next.
  static let signature = Array("ICC_PROFILE".utf8) + [0]

  /// What the segments of a JPEG hold that carry a profile; none where there would be more than can be counted.
  static func segments(of profile: [UInt8]) -> [[UInt8]] {
    let room = JPEGParts.payloadLimit - signature.count - 2
    let count = (profile.count + room - 1) / room
    guard count <= 255 else { return [] }
    return (0..<count).map { index in
      signature + [UInt8(index + 1), UInt8(count)]
        + profile[(index * room)..<min(profile.count, (index + 1) * room)]
    }
  }

  /// Tags that tell of makers and devices: copyright, device manufacturer and model, metadata, calibration time and
  /// characterisation target.
  private static let origins: Set<String> = ["cprt", "dmnd", "dmdd", "meta", "calt", "targ"]

  /// The profile with the fields blanked that tell who made it, when and for which device (ICC.1:2022 sections 7.2 and
  /// 9.2); colours come out the same.
  static func withoutOrigin(_ profile: [UInt8]) -> [UInt8] {
    guard profile.count >= 132, let count = ByteOrder.big.number(profile, at: 128, width: 4),
      count <= (profile.count - 132) / 12
    else { return profile }
    var bytes = profile
    func blank(_ range: Range<Int>) {
      bytes.replaceSubrange(range, with: [UInt8](repeating: 0, count: range.count))
    }
    // Module, date and time, platform, manufacturer and model, creator, checksum.
    for range in [4..<8, 24..<36, 40..<44, 48..<56, 80..<100] { blank(range) }
    var kept: [Range<Int>] = []
    var told: [Range<Int>] = []
    for index in 0..<count {
      let at = 132 + 12 * index
      guard let start = ByteOrder.big.number(profile, at: at + 4, width: 4),
        let size = ByteOrder.big.number(profile, at: at + 8, width: 4), start >= 132 + 12 * count,
        start <= profile.count, size <= profile.count - start
      else { continue }
      let isOrigin = origins.contains(String(decoding: profile[at..<at + 4], as: UTF8.self))
      if isOrigin { told.append(start..<start + size) } else { kept.append(start..<start + size) }
    }
    // Behind the type's signature and its reserved bytes.
    for range in told where range.count > 8 && !kept.contains(where: { $0.overlaps(range) }) {
      blank(range.lowerBound + 8..<range.upperBound)
    }
    return bytes
  }
}
