import Foundation
import TestSupport
import Testing

@testable import Rendering

@Suite struct HorizonEstimateTests {
  /// Returns a sea below a sky with a mast, rotated clockwise by an angle, with soft edges and some noise.
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

  @Test(arguments: [-5, -2.5, -1, 0.9, 1.5, 3.3])
  func tiltedPicturesAreLevelled(_ degrees: Double) throws {
    #expect(abs(HorizonEstimate.degrees(of: try picture(degrees)) + degrees) < 0.25)
  }

  /// Beams of a house seen from below converge towards the top. The picture is rotated clockwise by an angle.
  @Test(arguments: [-4.0, -1.5, 2, 6])
  func convergingPlumbLinesAreLevelled(_ degrees: Double) throws {
    let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    let frame = try DetailPicture.frame(600, 450, .grey) { _, x, y in
      let (px, py) = (Double(x) - 300, Double(y) - 225)
      let (u, v) = (px * cosine + py * sine, py * cosine - px * sine)
      // The lines meet 6000 samples above the middle.
      let across = u / (1 + v / 6000) + 2400
      return 120 + 60 * min(max(10 * sin(across / 25), -1), 1)
    }
    #expect(abs(HorizonEstimate.degrees(of: frame) + degrees) < 0.3)
  }

  /// A horizon partly hidden by bushes.
  @Test func piecesOfAHorizonCount() throws {
    let frame = try DetailPicture.frame(600, 450, .grey) { _, x, y in
      let (px, py) = (Double(x) - 300, Double(y) - 225)
      let horizon = px * tan(2 * Double.pi / 180)
      let sea = min(max(py - horizon, 0), 1)
      let bush = hypot(Double(x % 100) - 50, py - horizon) < 15
      return bush ? 60 : 190 - 40 * sea
    }
    #expect(abs(HorizonEstimate.degrees(of: frame) + 2) < 0.25)
  }

  @Test func theAccelerometerCounts() throws {
    let flat = try DetailPicture.frame(600, 450, .grey) { _, _, _ in 90 }
    #expect(HorizonEstimate.degrees(of: flat, lean: 3.5) == -3.5)
    // A small angle may be unsteadiness of the hand, and a large angle is intended.
    #expect(HorizonEstimate.degrees(of: flat, lean: -1.5) == 0)
    #expect(HorizonEstimate.degrees(of: flat, lean: 20) == 0)
    // Lines give a more exact angle if they roughly agree with the sensor.
    #expect(abs(HorizonEstimate.degrees(of: try picture(3), lean: 4) + 3) < 0.25)
    #expect(HorizonEstimate.degrees(of: try picture(3), lean: -0.5) == 0)
  }

  @Test func otherPicturesAreLeftAlone() throws {
    #expect(try HorizonEstimate.degrees(of: picture(0)) == 0)
    // Such a large tilt is intended.
    #expect(try HorizonEstimate.degrees(of: picture(20)) == 0)
    var generator = SeededGenerator(seed: 4)
    for side in [1, 5, 50, 400] {
      let noise = try DetailPicture.frame(side, side, .grey) { _, _, _ in
        Double.random(in: 0..<256, using: &generator)
      }
      #expect(HorizonEstimate.degrees(of: noise) == 0)
    }
    #expect(HorizonEstimate.degrees(of: try DetailPicture.frame(300, 200, .grey) { _, _, _ in 90 }) == 0)
    // Sand and rocks: short edges in every nearly horizontal direction.
    let rocks = try DetailPicture.frame(600, 450, .grey) { _, x, y in
      let (column, row) = (x / 30, y / 20)
      let slope = Double((column * 7 + row * 13) % 11 - 5) / 40
      return Double(y % 20) - slope * Double(x % 30) > 10 ? 150 : 90
    }
    #expect(HorizonEstimate.degrees(of: rocks) == 0)
  }
}
