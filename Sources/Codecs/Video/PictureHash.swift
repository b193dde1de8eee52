internal import CFFmpeg
import Rendering

/// The hash of a decoded picture that an HEVC stream may contain in an SEI message after the picture (ITU-T H.265,
/// sections D.2.20 and D.3.20). Studio encoders and conformance tests write the hash, but cameras do not.
enum PictureHash: Hashable {
  /// The MD5 digest of each plane.
  case md5([[UInt8]])
  /// The CRC of each plane.
  case crc([UInt32])
  /// The checksum of each plane.
  case checksum([UInt32])

  private static let suffixSEI: UInt8 = 40
  private static let payloadType = 132

  /// Finds the hash in a sample.
  ///
  /// - Parameters:
  ///   - sample: The sample, which consists of length-prefixed NAL units.
  ///   - lengthSize: The width of a length field in bytes.
  /// - Returns: The hash, or nil if the sample does not contain a hash.
  init?(in sample: UnsafeBufferPointer<UInt8>, lengthSize: Int) {
    var place = 0
    while sample.count - place > lengthSize {
      let size = sample[place..<place + lengthSize].reduce(0) { $0 << 8 | Int($1) }
      place += lengthSize
      guard size >= 2, size <= sample.count - place else { return nil }
      let unit = UnsafeBufferPointer(rebasing: sample[place..<place + size])
      place += size
      // Pictures in other layers, such as the other eye's picture, are not decoded.
      let layer = (unit[0] & 1) << 5 | unit[1] >> 3
      guard unit[0] >> 1 & 63 == Self.suffixSEI, layer == 0 else { continue }
      // The largest hash consists of three MD5 digests, but longer user data may precede the hash.
      if let hash = Self.message(in: NALUnits.payload(of: unit.dropFirst(2).prefix(1 << 16))) {
        self = hash
        return
      }
    }
    return nil
  }

  /// Returns the hash from the messages in an SEI unit (section 7.3.5).
  private static func message(in bytes: [UInt8]) -> PictureHash? {
    var rest = bytes[...]
    func number() -> Int? {
      var sum = 0
      while let byte = rest.popFirst() {
        sum += Int(byte)
        if byte != 255 { return sum }
      }
      return nil
    }
    while let type = number(), let size = number(), size <= rest.count {
      let body = rest.prefix(size)
      rest = rest.dropFirst(size)
      guard type == payloadType, let kind = body.first else { continue }
      let width = [16, 2, 4]
      guard width.indices.contains(Int(kind)) else { return nil }
      let values = body.dropFirst()
      let planes = stride(from: values.startIndex, to: values.endIndex, by: width[Int(kind)]).map {
        Array(values[$0..<min($0 + width[Int(kind)], values.endIndex)])
      }
      guard [1, 3].contains(planes.count), planes.last?.count == width[Int(kind)] else { return nil }
      let numbers = planes.map { $0.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
      return kind == 0 ? .md5(planes) : kind == 1 ? .crc(numbers) : .checksum(numbers)
    }
    return nil
  }

  /// Returns whether the hash matches a picture. The picture must have its full coded size.
  func agrees(with picture: PlanarFrame) -> Bool {
    let planes = picture.planes
    let bytes = picture.format.bytesPerSample
    func agree<Value: Equatable>(_ all: [Value], _ hash: (PlanarFrame.Plane, Int) -> Value) -> Bool {
      all.count == planes.count && zip(planes, all).allSatisfy { hash($0, bytes) == $1 }
    }
    switch self {
    case .md5(let all): return agree(all, Self.md5)
    case .checksum(let all): return agree(all, Self.checksum)
    case .crc(let all):
      // x265 3.5 restarts the chroma CRC at each row of blocks, so only the luma CRC can be compared.
      guard let luma = planes.first else { return false }
      return all.first == Self.crc(luma, bytes)
    }
  }

  /// Returns the rows of a plane for hashing. Two-byte samples are hashed in memory order, with the less significant
  /// byte first.
  private static func rows(_ plane: PlanarFrame.Plane, _ bytes: Int) -> [UnsafeRawBufferPointer] {
    (0..<plane.height).map {
      UnsafeRawBufferPointer(start: plane.base + $0 * plane.stride, count: plane.width * bytes)
    }
  }

  private static func md5(_ plane: PlanarFrame.Plane, _ bytes: Int) -> [UInt8] {
    guard let context = av_md5_alloc() else { return [] }
    defer { av_free(UnsafeMutableRawPointer(context)) }
    av_md5_init(context)
    for row in rows(plane, bytes) {
      av_md5_update(context, row.baseAddress?.assumingMemoryBound(to: UInt8.self), row.count)
    }
    return [UInt8](unsafeUninitializedCapacity: 16) { digest, count in
      av_md5_final(context, digest.baseAddress)
      count = 16
    }
  }

  /// For each value of the CRC's upper eight bits, the change to the CRC when these bits are shifted out (polynomial
  /// x¹⁶ + x¹² + x⁵ + 1).
  private static let remainders: [UInt16] = (0..<256).map { (byte: UInt16) in
    (0..<8).reduce(byte << 8) { rest, _ in rest & 0x8000 == 0 ? rest << 1 : rest << 1 ^ 0x1021 }
  }

  private static func crc(_ plane: PlanarFrame.Plane, _ bytes: Int) -> UInt32 {
    remainders.withUnsafeBufferPointer { table in
      var crc: UInt16 = 0xFFFF
      for row in rows(plane, bytes) {
        for byte in row { crc = (crc << 8 | UInt16(byte)) ^ table[Int(crc >> 8)] }
      }
      for _ in 0..<2 { crc = crc << 8 ^ table[Int(crc >> 8)] }
      return UInt32(crc)
    }
  }

  private static func checksum(_ plane: PlanarFrame.Plane, _ bytes: Int) -> UInt32 {
    var sum: UInt32 = 0
    for (y, row) in rows(plane, bytes).enumerated() {
      for x in 0..<plane.width {
        let mask = UInt32((x & 255) ^ (y & 255) ^ (x >> 8) ^ (y >> 8)) & 255
        for byte in 0..<bytes { sum &+= UInt32(row[x * bytes + byte]) ^ mask }
      }
    }
    return sum
  }
}

/// The hashes of the pictures that are still being decoded.
struct PictureHashes {
  private let lengthSize: Int
  private var waiting: [Int64: PictureHash] = [:]

  /// - Parameter parameters: The codec parameters of the track.
  /// - Returns: Nil if the codec does not support such hashes.
  init?(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
    // The configuration record (ISO/IEC 14496-15, section 8.3.3.1) states the size of length fields in its 22nd byte.
    guard parameters.pointee.codec_id == AV_CODEC_ID_HEVC, parameters.pointee.extradata_size > 22,
      let record = parameters.pointee.extradata, record[0] == 1
    else { return nil }
    lengthSize = Int(record[21] & 3) + 1
  }

  /// Stores the hash of a sample until the decoder returns the sample's picture.
  mutating func note(_ packet: PacketHandle) {
    let fields = packet.pointer.pointee
    let sample = UnsafeBufferPointer(start: fields.data, count: Int(fields.size))
    waiting[fields.pts] = PictureHash(in: sample, lengthSize: lengthSize)
  }

  /// Returns whether a picture matches its hash in the stream. If the stream does not contain a hash for the picture,
  /// returns true.
  mutating func agree(with picture: PlanarFrame, at time: Int64) -> Bool {
    waiting.removeValue(forKey: time)?.agrees(with: picture) ?? true
  }
}
