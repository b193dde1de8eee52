import EditModel
import TestSupport
import Testing

@testable import Rendering

@Suite struct DetailPassesTests {
  private static let details: [Parameter] = [.sharpness]

  /// Pictures that detail passes could make lighter or darker: a scene, noise, fine lines, bright points, and black and
  /// white text.
  private static let pictures: [(String, @Sendable (Int, Int) -> Double)] = {
    var noise: [Double] = []
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<1600 * 24 { noise.append(Double.random(in: -6...6, using: &generator)) }
    let all = noise
    return [
      ("scene", { x, y in DetailPicture.scene(Double(x) / 1600, Double(y) / 24) + all[y * 1600 + x] }),
      ("noise", { x, y in 100 + 3 * all[y * 1600 + x] }),
      ("lines", { x, _ in x % 4 == 0 ? 200 : 60 }),
      ("few lines", { x, _ in x % 16 == 0 ? 200 : 60 }),
      ("points", { x, y in x % 9 == 0 && y % 7 == 0 ? 240 : 40 }),
      ("text", { x, y in x / 3 % 4 == 0 && y % 12 < 9 ? 10 : 245 }),
    ]
  }()

  /// At half strength, the mean changes by at most half a code.
  @Test(arguments: details, [0.5, 1])
  func theMeanStays(_ parameter: Parameter, _ value: Double) throws {
    let passes = try #require(DetailPasses(DetailPicture.edit([parameter: value])))
    for (name, picture) in Self.pictures {
      let frame = try DetailPicture.frame(1600, 24, .yuv420) { plane, x, y in
        plane == 0 ? picture(x, y) : 128 + (picture(x, y) - 128) / 3
      }
      let before = (0..<3).map { frame.samples(ofPlane: $0) }
      passes.apply(to: frame)
      for plane in 0..<3 {
        let change = DetailPicture.mean(frame.samples(ofPlane: plane)) - DetailPicture.mean(before[plane])
        #expect(abs(change) <= value, "\(name), plane \(plane): \(change)")
      }
      if name == "scene" { #expect(frame.samples(ofPlane: 0) != before[0]) }
    }
  }

  @Test(arguments: details, [8, 10])
  func flatStaysFlat(_ parameter: Parameter, _ depth: Int) throws {
    let passes = try #require(DetailPasses(DetailPicture.edit([parameter: 1])))
    for code in [0, 77.25, 255] {
      let frame = try DetailPicture.frame(1601, 13, .yuv420, depth: depth) { plane, _, _ in
        plane == 0 ? code : 90
      }
      let before = (0..<3).map { frame.samples(ofPlane: $0) }
      passes.apply(to: frame)
      #expect((0..<3).map { frame.samples(ofPlane: $0) } == before)
    }
  }

  /// Applies all passes at once to every layout. The limits of limited range are kept.
  @Test(arguments: ChromaSampling.allCases.map { ($0, 8) } + [(.yuv420, 10)])
  func everyLayoutIsHandled(_ sampling: ChromaSampling, _ depth: Int) throws {
    var edit = DetailPicture.edit([.vignette: 0.6, .grain: 1])
    for parameter in Self.details { edit[parameter] = 1 }
    let passes = try #require(DetailPasses(edit))
    for (width, height) in [(1, 1), (33, 17), (1201, 5)] {
      var generator = SeededGenerator(seed: 9)
      let limited = ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: false)
      let frame = try DetailPicture.frame(width, height, sampling, depth: depth, color: limited) { _, _, _ in
        Double.random(in: 0..<256, using: &generator)
      }
      passes.apply(to: frame)
      let unit = UInt16(1 << (depth - 8))
      for plane in 0..<sampling.planeCount {
        #expect(frame.samples(ofPlane: plane).allSatisfy { unit...(255 * unit - 1) ~= $0 })
      }
    }
  }

  /// A photo and a movie of one scene get the same look, compared at the size of the movie.
  @Test(arguments: details)
  func bothHalvesLookAlike(_ parameter: Parameter) throws {
    let passes = try #require(DetailPasses(DetailPicture.edit([parameter: 0.5])))
    let (width, height) = (1440, 20)
    var generator = SeededGenerator(seed: 21)
    let photo = try DetailPicture.frame(width * 3, height * 3, .grey) { _, x, y in
      DetailPicture.scene(Double(x) / Double(width * 3), Double(y) / Double(height * 3))
        + Double.random(in: -12...12, using: &generator)
    }
    let movie = try #require(photo.reduced(toWidth: width, height: height))
    let before = movie.samples(ofPlane: 0)
    passes.apply(to: photo)
    passes.apply(to: movie)
    let small = try #require(photo.reduced(toWidth: width, height: height)).samples(ofPlane: 0)
    func distance(_ one: [UInt16], _ other: [UInt16]) -> Double {
      let squares = zip(one, other).reduce(0.0) {
        $0 + (Double($1.0) - Double($1.1)) * (Double($1.0) - Double($1.1))
      }
      return (squares / Double(one.count)).squareRoot()
    }
    let result = movie.samples(ofPlane: 0)
    let changed = distance(result, before)
    #expect(changed > 0.5)
    #expect(distance(result, small) < 0.6 * changed, "\(distance(result, small)) of \(changed)")
  }

  @Test func noDetailIsNoPass() {
    var edit = DetailPicture.edit([.vignetteRadius: 1, .vignetteSoftness: 0, .grainSize: 1])
    edit[.exposure] = 1
    #expect(DetailPasses(edit) == nil)
  }
}
