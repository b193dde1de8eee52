import EditModel
import Foundation
import TestSupport
import Testing

@testable import Rendering

/// Tests that the same edit gives the same colours in a photo and in movies with other colour descriptions.
@Suite struct BothHalvesTests {
  private typealias Source = ReferenceColor.Source

  private static let p3Movie = Source(
    testDescription: "P3 full range movie", toXYZ: ReferenceColor.p3)
  private static let bt601 = Source(testDescription: "601 full range", toXYZ: ReferenceColor.sRGB)

  private static func description(_ source: Source) -> ColorDescription {
    switch source.testDescription {
    case "601 full range": ColorDescription(primaries: 1, transfer: 1, matrix: 6, isFullRange: true)
    case "P3 full range movie": ColorDescription(primaries: 12, transfer: 1, matrix: 6, isFullRange: true)
    default: ColorTableTests.description(source)
    }
  }

  private static let movies = [p3Movie, ColorTableTests.bt709, bt601, ColorTableTests.tenBit]

  /// Every slider at its ends and at half of them; a quick run leaves out the halves.
  static let edits: [[Parameter: Double]] = {
    let sliders: [Parameter] = [
      .whites, .midtoneGradeLuminance, .brightness, .contrast, .blackPoint,
      .saturation, .vibrance,
      .warmth,
      .tint,
    ]
    var edits: [[Parameter: Double]] = []
    let values: [Double] = Cases.chosen([-1, -0.5, 0.5, 1]) { _, value in abs(value) == 1 }
    for slider in sliders {
      for value in values {
        edits.append([slider: value])
      }
    }
    edits.append([.orangeHue: 1, .blueSaturation: -1, .greenLuminance: -1, .yellowSaturation: 1])
    for value: Double in [-4, -2, 2, 4] { edits.append([.exposure: value]) }
    for value: Double in [0.5, 1] {
      edits.append([.monochrome: value, .monochromeRed: 1, .monochromeBlue: -1, .monochromeTone: value])
    }
    edits += [[.levelsBlack: 0.15], [.levelsBlack: 0.3], [.levelsWhite: 0.85], [.levelsWhite: 0.7]]
    edits += [
      [.levelsMidtone: -1], [.levelsMidtone: 1], [.levelsOutputBlack: 0.45, .levelsOutputWhite: 0.55],
    ]
    return edits
  }()

  /// Returns typical photo colours within sRGB. Few of them are saturated.
  private static func linearColors() -> [[Double]] {
    var generator = SeededGenerator(seed: 3)
    return (0..<(Cases.areAllRun ? 1500 : 600)).map { _ in
      let grey = Double.random(in: 0.02...0.98, using: &generator)
      let strength = 0.7 * pow(Double.random(in: 0...1, using: &generator), 3)
      let color = (0..<3).map { _ in
        ReferenceColor.decode(grey + strength * (Double.random(in: 0...1, using: &generator) - grey))
      }
      let xyz = ReferenceColor.times(ReferenceColor.sRGB, color)
      return ReferenceColor.times(ReferenceColor.inverse(ReferenceColor.bt2020), xyz)
    }
  }

  private static let colors = linearColors()

  /// Returns the displayed colour of codes as CIE XYZ. R′, G′ and B′ are clipped to black and white.
  private static func xyz(_ codes: [Double], _ source: Source) -> [Double] {
    let shown = source.primaries(codes).map { source.decode(min(max($0, 0), 1)) }
    return ReferenceColor.times(source.toXYZ, shown)
  }

  /// Returns the colour that a movie can show for a colour. It is clipped to the movie's primaries.
  private static func shown(_ xyz: [Double], in movie: Source) -> [Double] {
    let light = ReferenceColor.times(ReferenceColor.inverse(movie.toXYZ), xyz)
    return ReferenceColor.times(movie.toXYZ, light.map { min(max($0, 0), 1) })
  }

  private static func edited(_ edit: Edit, _ source: Source) throws -> (before: [[Double]], after: [[Double]])
  {
    let codes = colors.map { source.codes(linear: $0).map { $0.rounded() } }
    let table = try #require(
      try ColorTable(edit, color: description(source), bitDepth: source.bitDepth))
    let after = try ColorTableTests.render(table, codes, source)
    return (codes.map { xyz($0, source) }, after.map { xyz($0, source) })
  }

  /// The names of the presets.
  private static let presets =
    (try? FileManager.default.contentsOfDirectory(atPath: presetFolder.path))?
    .filter { $0.hasSuffix(".json") }.sorted() ?? []

  private static let presetFolder = TestFiles.fixture("../Presets").standardizedFileURL

  @Test func presetsAreFound() {
    #expect(Self.presets.count >= 12)
  }

  @Test(arguments: Array(edits.enumerated()))
  func slidersLookTheSame(_ index: Int, _ values: [Parameter: Double]) throws {
    try compare(ColorTableTests.edit(values), index, "\(values)")
  }

  @Test(arguments: Array(presets.enumerated()))
  func presetsLookTheSame(_ index: Int, _ name: String) throws {
    let json = try Data(contentsOf: Self.presetFolder.appendingPathComponent(name))
    let preset = try Preset(json: Array(json), name: name)
    try compare(preset.edit.applied(to: .identity), index, name)
  }

  /// Compares the photo with one kind of movie. If LIVEEDIT_SHOW is set, compares it with every kind and prints the
  /// measurements.
  private func compare(_ edit: Edit, _ index: Int, _ name: String) throws {
    let isAll = ProcessInfo.processInfo.environment["LIVEEDIT_SHOW"] != nil
    let photo = try Self.edited(edit, ColorTableTests.p3Photo)
    for source in isAll ? Self.movies : [Self.movies[index % Self.movies.count]] {
      let movie = try Self.edited(edit, source)
      var differences = zip(photo.after, movie.after).map { photo, movie in
        ColorDifference.ciede2000(
          ColorDifference.lab(Self.shown(photo, in: source)), ColorDifference.lab(movie))
      }
      differences.sort()
      let mean = differences.reduce(0, +) / Double(differences.count)
      let most = differences[differences.count * 99 / 100]
      let summary = "\(source.testDescription) \(name): mean \(mean), 99 % within \(most)"
      #expect(mean < 1, "\(summary)")
      #expect(most < 3.5, "\(summary)")
      if isAll { print(summary) }
    }
    // The edit must have an effect.
    let changes = zip(photo.before, photo.after).map {
      ColorDifference.ciede2000(ColorDifference.lab($0), ColorDifference.lab($1))
    }
    #expect(changes.reduce(0, +) / Double(changes.count) > 0.5, "\(name)")
  }
}
