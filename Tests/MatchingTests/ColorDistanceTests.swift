import Testing

@testable import Matching

@Suite struct ColorDistanceTests {
  /// Colour pairs with their distances from the test data of G. Sharma, W. Wu and E. Dalal, 2005, table 1.
  @Test(arguments: [
    (SIMD3(50, 2.6772, -79.7751), SIMD3(50, 0, -82.7485), 2.0425),
    (SIMD3(50, -1.3802, -84.2814), SIMD3(50, 0, -82.7485), 1.0000),
    (SIMD3(50, 2.4900, -0.0010), SIMD3(50, -2.4900, 0.0011), 7.2195),
    (SIMD3(50, 2.5, 0), SIMD3(73, 25, -18), 27.1492),
    (SIMD3(60.2574, -34.0099, 36.2677), SIMD3(60.4626, -34.1751, 39.4387), 1.2644),
    (SIMD3(22.7233, 20.0904, -46.6940), SIMD3(23.0331, 14.9730, -42.5619), 2.0373),
    (SIMD3(2.0776, 0.0795, -1.1350), SIMD3(0.9033, -0.0636, -0.5514), 0.9082),
    (SIMD3(50, 0, 0), SIMD3(50, -1, 2), 2.3669),
  ])
  func distanceIsThatOfTheTable(_ first: SIMD3<Double>, _ second: SIMD3<Double>, _ distance: Double) {
    #expect(abs(ColorDistance.deltaE(first, second) - distance) < 1e-4)
    #expect(abs(ColorDistance.deltaE(second, first) - distance) < 1e-4)
  }

  @Test func whiteIsWhite() {
    let lab = ColorDistance.lab(SIMD3(repeating: 1))
    #expect(abs(lab.x - 100) < 0.01 && abs(lab.y) < 0.02 && abs(lab.z) < 0.02)
  }
}
