import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of the camera data for a depth map in Apple's XMP when the picture is cropped and straightened.
@Suite struct XMPDepthTests {
  private static func packet(
    _ size: (Int, Int), matrix: [String], pose: [String], center: (String, String), more: String = ""
  ) -> [UInt8] {
    func list(_ values: [String]) -> String {
      "<rdf:Seq>" + values.map { "<rdf:li>\($0)</rdf:li>" }.joined() + "</rdf:Seq>"
    }
    let text = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/"
        xmlns:blur="http://ns.apple.com/depthBlurEffect/1.0/" xmlns:d="http://ns.apple.com/depthData/1.0/">
      <apdi:StoredFormat>1278226488</apdi:StoredFormat>
      <d:IntrinsicMatrixReferenceWidth>\(size.0)</d:IntrinsicMatrixReferenceWidth>
      <d:IntrinsicMatrixReferenceHeight>\(size.1)</d:IntrinsicMatrixReferenceHeight>
      <d:IntrinsicMatrix>\(list(matrix))</d:IntrinsicMatrix><d:ExtrinsicMatrix>\(list(pose))</d:ExtrinsicMatrix>
      <d:LensDistortionCenterOffsetX>\(center.0)</d:LensDistortionCenterOffsetX>
      <d:LensDistortionCenterOffsetY>\(center.1)</d:LensDistortionCenterOffsetY>
      <d:PixelSize>0.002440</d:PixelSize><d:Quality>high</d:Quality>
      <blur:SimulatedAperture>2.8</blur:SimulatedAperture>\(more)
      </rdf:Description></rdf:RDF></x:xmpmeta>
      """
    return Array(text.utf8)
  }

  /// Returns the numbers between a property's tags.
  private static func numbers(_ name: String, in bytes: [UInt8]) -> [Double] {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let first = text.range(of: "<d:\(name)>"), let last = text.range(of: "</d:\(name)>") else {
      return []
    }
    return text[first.upperBound..<last.lowerBound].split { "<>".contains($0) }.compactMap { Double($0) }
  }

  private static let identity = [
    "1", "0.0", "0.0", "0.0", "1", "0.0", "0.0", "0.0", "1", "0.0", "0.0", "0.0",
  ]

  private static let camera = packet(
    (4032, 3024),
    matrix: [
      "2886.62353515625", "0.0", "0.0", "0.0", "2886.62353515625", "0.0", "2002.401611328125",
      "1538.68115234375", "1",
    ], pose: identity, center: ("2006.401123046875", "1535.3192138671875"))

  /// The numbers of IMG_3582 from an iPhone 15 Pro, and those of the same photo after Photos for macOS 15 rotated it.
  @Test func aTurnGivesWhatPhotosWrites() throws {
    var packet = try #require(try XMPPacket(Self.camera))
    #expect(packet.moveCamera(PictureProjection(.right)) == [])
    let bytes = packet.rewritten()
    let want: [(String, [Double])] = [
      ("IntrinsicMatrixReferenceWidth", [3024]), ("IntrinsicMatrixReferenceHeight", [4032]),
      (
        "IntrinsicMatrix",
        [2886.62353515625, 0, 0, 0, 2886.62353515625, 0, 1485.31884765625, 2002.401611328125, 1]
      ),
      ("ExtrinsicMatrix", [0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0]),
      ("LensDistortionCenterOffsetX", [1488.6807861328125]),
      ("LensDistortionCenterOffsetY", [2006.401123046875]), ("PixelSize", [0.00244]),
    ]
    for (name, values) in want {
      let found = Self.numbers(name, in: bytes)
      #expect(found.count == values.count)
      for (value, other) in zip(found, values) { #expect(abs(value - other) < 1e-8, "\(name)") }
    }
  }

  /// Every point that the camera sees is mapped to the position where the crop puts that point of the picture.
  @Test(arguments: 0..<200) func directionsLandWhereTheirPlacesGo(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func random(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
    let size = SIMD2(random(500...5000).rounded(), random(500...5000).rounded())
    let camera = CameraCalibration(
      size: size, x: [random(400...4000), random(-20...20), random(0...5000)],
      y: [0, random(400...4000), random(0...5000)], distortionCenter: [random(0...5000), random(0...5000)])
    // A part of the straightened picture in fractions. Its columns and rows are perpendicular in pixels.
    let angle = random(-0.7...0.7)
    let (cosine, sine) = (1 - 2 * angle * angle / (1 + angle * angle), 2 * angle / (1 + angle * angle))
    let part = SIMD2(random(0.1...0.9), random(0.1...0.9)) * size
    let projection = PictureProjection(scale: size, shift: -size * random(0.1...0.6))
      .then(PictureProjection(x: [cosine, -sine, 0], y: [sine, cosine, 0]))
      .then(PictureProjection(scale: 1 / part, shift: [random(0...0.5), random(0...0.5)]))
    let (moved, roll) = try #require(camera.moved(by: projection))
    #expect(abs(moved.size.x - part.x) <= 0.5 && abs(moved.size.y - part.y) <= 0.5)
    #expect(abs((roll * roll).sum() - 1) < 1e-12)
    func place(_ camera: CameraCalibration, _ direction: SIMD2<Double>) -> SIMD2<Double> {
      let direction = SIMD3(direction.x, direction.y, 1)
      return SIMD2((camera.x * direction).sum(), (camera.y * direction).sum()) / camera.size
    }
    for _ in 0..<8 {
      let seen = SIMD2(random(-1...1), random(-1...1))
      let rolled = SIMD2(roll.x * seen.x - roll.y * seen.y, roll.y * seen.x + roll.x * seen.y)
      let wanted = try #require(projection.apply(place(camera, seen)))
      let found = place(moved, rolled)
      #expect(abs(found.x - wanted.x) < 1e-9 && abs(found.y - wanted.y) < 1e-9)
    }
    let center = try #require(camera.distortionCenter), newCenter = try #require(moved.distortionCenter)
    let wanted = try #require(projection.apply(center / size))
    #expect(
      abs((newCenter / moved.size - wanted).x) < 1e-9 && abs((newCenter / moved.size - wanted).y) < 1e-9)
  }

  /// A pose that is not the identity is continued from its old value, so the axes of the scene do not change.
  @Test func aPoseGoesOnFromWhereItWas() throws {
    let pose = ["0.6", "0.8", "0", "-0.8", "0.6", "0", "0", "0", "1", "0.25", "-3", "7"]
    let bytes = Self.packet(
      (400, 300), matrix: ["350", "0", "0", "0", "350", "0", "200", "150", "1"], pose: pose,
      center: ("200", "150"))
    var packet = try #require(try XMPPacket(bytes))
    #expect(packet.moveCamera(PictureProjection(.right)) == [])
    let found = Self.numbers("ExtrinsicMatrix", in: packet.rewritten())
    // The new camera's x axis is the old one's −y axis, and its y axis is the old one's x axis.
    #expect(found == [0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1, 0.25, -3, 7])
  }

  @Test func aCropWithoutATurnKeepsThePose() throws {
    var packet = try #require(try XMPPacket(Self.camera))
    let half = PictureProjection(scale: [2, 2], shift: [-0.5, 0])
    #expect(packet.moveCamera(half) == [])
    let bytes = packet.rewritten()
    #expect(Self.numbers("IntrinsicMatrixReferenceWidth", in: bytes) == [2016])
    #expect(
      Self.numbers("IntrinsicMatrix", in: bytes)
        == [2886.62353515625, 0, 0, 0, 2886.62353515625, 0, 994.401611328, 1538.68115234375, 1])
    #expect(Self.numbers("ExtrinsicMatrix", in: bytes) == [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0])
  }

  /// Data that cannot be updated is removed. Data that applies to every part of the picture is kept.
  @Test(arguments: ["matrix", "size", "huge", "pose", "center", "perspective"])
  func whatCannotFollowIsTakenOut(_ what: String) throws {
    let whole = ["350", "0", "0", "0", "350", "0", "200", "150", "1"]
    let matrix = what == "matrix" ? ["350", "x"] : what == "huge" ? ["1e300"] + whole.dropFirst() : whole
    let bytes = Self.packet(
      (what == "size" ? 0 : 400, 300), matrix: matrix, pose: what == "pose" ? ["1", "2"] : Self.identity,
      center: ("200", what == "center" ? "?" : "150"),
      more: "<d:LensDistortionLookupTable>AA</d:LensDistortionLookupTable>")
    var packet = try #require(try XMPPacket(bytes))
    let projection =
      what == "perspective" ? PictureProjection(w: [0.1, 0, 1]) : PictureProjection(.right)
    let removed = packet.moveCamera(projection)
    #expect(
      Set(removed) == [
        "depthData:IntrinsicMatrixReferenceWidth", "depthData:IntrinsicMatrixReferenceHeight",
        "depthData:IntrinsicMatrix", "depthData:ExtrinsicMatrix", "depthData:LensDistortionCenterOffsetX",
        "depthData:LensDistortionCenterOffsetY", "depthData:PixelSize", "depthData:LensDistortionLookupTable",
      ])
    let text = String(decoding: packet.rewritten(), as: UTF8.self)
    for kept in ["d:Quality", "apdi:StoredFormat", "blur:SimulatedAperture"] { #expect(text.contains(kept)) }
    for gone in ["Matrix", "LensDistortion", "PixelSize"] { #expect(!text.contains(gone)) }
  }
}
