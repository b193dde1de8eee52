import Foundation
import TestSupport
import Testing

@testable import Rendering

@Suite struct HorizonEstimateTests {
  /// A sea below a sky with a mast, all turned clockwise by an angle; soft edges, some noise.
  private func picture(_ degrees: Double) throws -> PlanarFrame {
    var generator = SeededGenerator(seed: 2)
    let noise = (0..<600 * 450).map { _ in Double.random(in: -4...4, using: &generator) }
    let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    return try DetailPicture.frame(600, 450, .grey) { _, x, y in
      let (px, py) = (Double(x) - 300, Double(y) - 225)
      let (u, v) = (px * cosine + py * sine, py * cosine - px * sine)
      let sea = min(max(v - 30, 0), 1)
      let mast = min(max(6 - abs(u - 80), 0), 1) * min(max(-v, 0), 1)
      return 190 - 90 * sea - 100 * mast + noise[y * 600 + x]
    }
  }

  @Test(arguments: [-5, -2.5, -1, 0.7, 1.5, 3.3])
  func tiltedPicturesAreLevelled(_ degrees: Double) throws {
    #expect(abs(HorizonEstimate.degrees(of: try picture(degrees)) + degrees) < 0.25)
  }

  @Test func otherPicturesAreLeftAlone() throws {
    #expect(try HorizonEstimate.degrees(of: picture(0)) == 0)
    // What is tilted that much was meant so.
    #expect(try HorizonEstimate.degrees(of: picture(20)) == 0)
    var generator = SeededGenerator(seed: 4)
    for side in [1, 50, 400] {
      let noise = try DetailPicture.frame(side, side, .grey) { _, _, _ in
        Double.random(in: 0..<256, using: &generator)
      }
      #expect(HorizonEstimate.degrees(of: noise) == 0)
    }
    #expect(HorizonEstimate.degrees(of: try DetailPicture.frame(300, 200, .grey) { _, _, _ in 90 }) == 0)
  }
}
