import Basics
import EditModel

/// The sample description of a video track (QuickTime File Format, “Video Sample Description”; ISO/IEC 14496-12,
/// section 12.1.3).
struct VisualSampleDescription: Hashable, Sendable {
  /// The coding format, such as `avc1` or `hvc1`.
  var format: FourCC
  /// The stored width in pixels.
  var width: UInt16
  var height: UInt16
  /// The atoms after the fixed fields, such as configuration, colour and clean aperture.
  var extensions: [Atom]
  /// The fixed fields: the reserved bytes, the data reference index, and the fields from the version to the colour
  /// table.
  private var fields: [UInt8]
  /// The bytes after the last extension. In old files, zeros mark the end of the list of extensions.
  private let tail: [UInt8]
  /// The descriptions that follow the first description if the frames are compressed in several ways.
  private var others: [VisualSampleDescription] = []

  private static let fixedSize = 86

  /// Reads all descriptions of a video track.
  ///
  /// - Throws: ``MediaError`` if the track has no description, or if a description is damaged.
  init(stsd: Atom) throws {
    let count = try stsd.sampleDescriptionCount
    var reader = BigEndianReader(stsd.bytes)
    try reader.skip(8)
    self = try VisualSampleDescription(&reader)
    others = try (1..<count).map { _ in try VisualSampleDescription(&reader) }
  }

  private init(_ reader: inout BigEndianReader) throws {
    let length = Int(try reader.uint32())
    format = try reader.fourCC()
    fields = Array(try reader.read(Self.fixedSize - 8))
    var size = BigEndianReader(fields[24...])
    (width, height) = (try size.uint16(), try size.uint16())
    (extensions, tail) = try Atom.parseAll(reader.read(length - Self.fixedSize))
  }

  /// The sample description atom.
  var stsd: Atom {
    let all = [self] + others
    return Atom("stsd", [UInt8](words: [0, all.count]) + all.flatMap(\.serialized))
  }

  private var serialized: [UInt8] {
    var out = fields
    out.replace(at: 24, bigEndian: width)
    out.replace(at: 26, bigEndian: height)
    return Atom(format, out + extensions.flatMap(\.serialized) + tail).serialized
  }

  /// Checks that all frames have the same codec, size, shape and colours.
  ///
  /// - Throws: ``MediaError`` if the frames differ, because a single description would not fit all frames.
  func checkIsUniform() throws {
    let shape: Set<FourCC> = ["colr", "clap", "pasp", "fiel"]
    func isLikeThis(_ other: VisualSampleDescription) -> Bool {
      (other.format, other.width, other.height) == (format, width, height)
        && other.extensions.filter { shape.contains($0.kind) }
          == extensions.filter { shape.contains($0.kind) }
    }
    guard others.allSatisfy(isLikeThis) else {
      throw MediaError(
        "the frames change codec, size or colours partway through the movie",
        remedy: "rotate the movie with --lossless",
        isUnsupported: true)
    }
  }

  func first(_ kind: FourCC) -> Atom? {
    extensions.first { $0.kind == kind }
  }

  /// Replaces the extension of the same kind, or appends the new extension if none of that kind exists.
  mutating func put(_ atom: Atom) {
    if let index = extensions.firstIndex(where: { $0.kind == atom.kind }) {
      extensions[index] = atom
    } else {
      extensions.append(atom)
    }
  }

  /// Returns whether a clean aperture (`clap`) lies within the stored picture.
  func holds(cleanAperture atom: Atom) -> Bool {
    guard let clap = try? CleanAperture(atom) else { return false }
    let fractions = [clap.width, clap.height, clap.horizontalOffset, clap.verticalOffset]
    guard fractions.allSatisfy({ $0.denominator != 0 }), clap.width.value > 0, clap.height.value > 0 else {
      return false
    }
    return clap.width.value / 2 + abs(clap.horizontalOffset.value) <= Double(width) / 2 + 0.5
      && clap.height.value / 2 + abs(clap.verticalOffset.value) <= Double(height) / 2 + 0.5
  }

  /// The ratio of a pixel's width to its height (`pasp`), or 1 if the description does not contain a valid ratio.
  var pixelAspect: Double {
    guard let pasp = first("pasp") else { return 1 }
    var reader = BigEndianReader(pasp.bytes)
    guard let horizontal = try? reader.uint32(), let vertical = try? reader.uint32(), horizontal > 0,
      vertical > 0
    else { return 1 }
    return Double(horizontal) / Double(vertical)
  }

  /// Changes the description to match re-encoded frames.
  ///
  /// - Parameters:
  ///   - format: `avc1` or `hvc1`.
  ///   - configuration: The atom that contains the parameter sets, `avcC` or `hvcC`.
  ///   - width: The stored width in pixels.
  ///   - height: The stored height in pixels.
  /// - Returns: The names of the removed extensions that described the old compression.
  mutating func recompress(format: FourCC, configuration: Atom, width: UInt16, height: UInt16) -> [String] {
    let isRenamed = format != self.format
    others = []
    self.format = format
    self.width = width
    self.height = height
    if isRenamed { setCompressorName(format == "avc1" ? "H.264" : "HEVC") }
    let replaced: Set<FourCC> = [
      "avcC", "hvcC", "vpcC", "av1C", "glbl", "jpgC", "d263", "dvc1", "vvcC", "btrt", "esds",
    ]
    let untrue: Set<FourCC> = ["dvcC", "dvvC", "dvwC", "hvcE", "avcE"]
    let gone = extensions.filter { untrue.contains($0.kind) }.map(\.kind.description)
    extensions.removeAll { replaced.contains($0.kind) || untrue.contains($0.kind) }
    extensions.insert(configuration, at: 0)
    return gone
  }

  /// Removes the parts that describe additional pictures in each frame, usually the second eye's picture (MV-HEVC;
  /// ISO/IEC 14496-15, section 9; Apple, “ISO Base Media File Format and Apple HEVC Stereo Video”). Other extended
  /// usage information, such as lens data, is kept.
  ///
  /// - Returns: The names of the removed parts.
  mutating func keepOneView() -> [String] {
    guard first("lhvC") != nil else { return [] }
    extensions.removeAll { $0.kind == "lhvC" }
    var gone = ["lhvC"]
    extensions = extensions.compactMap { atom in
      guard atom.kind == "vexu" else { return atom }
      guard var children = try? atom.takenApart().children else {
        gone.append("vexu")
        return nil
      }
      guard children.contains(where: { $0.kind == "eyes" }) else { return atom }
      gone.append("eyes (vexu)")
      children.removeAll { $0.kind == "eyes" }
      children = children.compactMap { $0.kind == "must" ? $0.withoutRequiring("eyes") : $0 }
      return children.isEmpty ? nil : Atom("vexu", children: children)
    }
    return gone
  }

  /// Rotates or mirrors the properties that describe the stored picture's shape: the clean aperture and the pixel
  /// aspect ratio.
  mutating func turn(by transform: Orientation) throws {
    for index in extensions.indices {
      switch extensions[index].kind {
      case "clap":
        extensions[index] = try CleanAperture(extensions[index]).turned(by: transform).atom
      case "pasp" where transform.swapsAxes:
        var reader = BigEndianReader(extensions[index].bytes)
        let horizontal = try reader.uint32()
        let vertical = try reader.uint32()
        extensions[index].bytes.replace(at: 0, bigEndian: vertical)
        extensions[index].bytes.replace(at: 4, bigEndian: horizontal)
      default:
        break
      }
    }
  }

  /// Clears the vendor code and the compressor name, because they identify programs and cameras.
  mutating func clearOrigin() {
    fields.replaceSubrange(12..<16, with: [0, 0, 0, 0])
    setCompressorName("")
    for index in others.indices { others[index].clearOrigin() }
  }

  /// Sets the compressor name, which is stored as a Pascal string in 32 bytes.
  private mutating func setCompressorName(_ name: String) {
    let text = Array(name.utf8.prefix(31))
    let padded = [UInt8(text.count)] + text + [UInt8](repeating: 0, count: 31 - text.count)
    fields.replaceSubrange(42..<74, with: padded)
  }
}

extension Atom {
  /// Removes a kind from the list of kinds that readers must support (`must`: version, flags, kinds). Returns nil if
  /// the list becomes empty.
  fileprivate func withoutRequiring(_ kind: FourCC) -> Atom? {
    let name = [UInt8](words: [Int(kind.rawValue)])
    let kinds = stride(from: 4, to: bytes.count - 3, by: 4).map { Array(bytes[$0..<$0 + 4]) }
      .filter { $0 != name }
    return kinds.isEmpty ? nil : Atom(self.kind, Array(bytes.prefix(4)) + kinds.flatMap { $0 })
  }
}

/// A clean aperture (`clap`): the displayed part of the stored picture, and the distance from the picture's centre to
/// the centre of the displayed part. QuickTime File Format, “Clean aperture”; ISO/IEC 14496-12, section 12.1.4.
struct CleanAperture: Hashable, Sendable {
  struct Fraction: Hashable, Sendable {
    var numerator: Int32
    var denominator: Int32

    var negated: Fraction { Fraction(numerator: 0 &- numerator, denominator: denominator) }
    var value: Double { denominator == 0 ? 0 : Double(numerator) / Double(denominator) }
  }

  var width: Fraction
  var height: Fraction
  var horizontalOffset: Fraction
  var verticalOffset: Fraction
  private let tail: [UInt8]

  init(_ clap: Atom) throws {
    var reader = BigEndianReader(clap.bytes)
    func fraction() throws -> Fraction {
      Fraction(numerator: try reader.int32(), denominator: try reader.int32())
    }
    width = try fraction()
    height = try fraction()
    horizontalOffset = try fraction()
    verticalOffset = try fraction()
    tail = Array(try reader.read(reader.remaining))
  }

  func turned(by transform: Orientation) -> CleanAperture {
    var turned = self
    if transform.swapsAxes { swap(&turned.width, &turned.height) }
    let m = transform.matrix
    func combine(_ horizontal: Int, _ vertical: Int) -> Fraction {
      switch (horizontal, vertical) {
      case (1, _): horizontalOffset
      case (-1, _): horizontalOffset.negated
      case (_, 1): verticalOffset
      default: verticalOffset.negated
      }
    }
    turned.horizontalOffset = combine(m.a, m.c)
    turned.verticalOffset = combine(m.b, m.d)
    return turned
  }

  var atom: Atom {
    let numbers = [width, height, horizontalOffset, verticalOffset].flatMap {
      [Int($0.numerator), Int($0.denominator)]
    }
    return Atom("clap", [UInt8](words: numbers) + tail)
  }
}
