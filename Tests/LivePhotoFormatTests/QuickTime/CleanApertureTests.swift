import EditModel
import Testing

@testable import LivePhotoFormat

@Suite struct CleanApertureTests {
  /// Returns the aperture as a rectangle in the picture, following its definition (ISO/IEC 14496-12, 12.1.4.1).
  func rectangle(_ clap: CleanAperture, _ width: Double, _ height: Double) -> (Double, Double, Double, Double)
  {
    let centreX = clap.horizontalOffset.value + (width - 1) / 2
    let centreY = clap.verticalOffset.value + (height - 1) / 2
    let halfX = (clap.width.value - 1) / 2
    let halfY = (clap.height.value - 1) / 2
    return (centreX - halfX, centreY - halfY, centreX + halfX, centreY + halfY)
  }

  @Test func turnsWithThePicture() throws {
    var bytes: [UInt8] = []
    for number in [60, 1, 30, 1, 7, 2, -5, 1] as [Int32] { bytes.append(bigEndian: number) }
    let clap = try CleanAperture(Atom("clap", bytes))
    #expect(clap.atom.bytes == bytes)
    let before = rectangle(clap, 100, 50)
    for orientation in Orientation.allCases {
      let (w, h) = orientation.swapsAxes ? (50.0, 100.0) : (100.0, 50.0)
      let after = rectangle(clap.turned(by: orientation), w, h)
      // Coordinates are pixel centres. The picture begins at -0.5, so the coordinates are shifted before and after.
      let p = orientation.apply(x: before.0 + 0.5, y: before.1 + 0.5, width: 100, height: 50)
      let q = orientation.apply(x: before.2 + 0.5, y: before.3 + 0.5, width: 100, height: 50)
      #expect(after.0 == min(p.x, q.x) - 0.5)
      #expect(after.1 == min(p.y, q.y) - 0.5)
      #expect(after.2 == max(p.x, q.x) - 0.5)
      #expect(after.3 == max(p.y, q.y) - 0.5)
    }
  }
}
