import Basics
import Foundation
import Testing

@testable import EditModel

@Suite struct GeometryTests {
  static func rectangle(_ left: Int, _ top: Int, _ width: Int, _ height: Int) throws -> Crop {
    .rectangle(try Crop.Rectangle(left: left, top: top, width: width, height: height))
  }

  static func samples() throws -> [Geometry] {
    [
      Geometry(crop: try rectangle(100_000, 250_001, 300_000, 500_000)),
      Geometry(crop: .aspect(try Crop.AspectRatio(width: 16, height: 9), .topLeft), straighten: 2.5),
      Geometry(crop: .aspect(try Crop.AspectRatio(width: 3, height: 6), .right)),
      Geometry(straighten: -45, horizontalPerspective: 0.25, verticalPerspective: -1),
      Geometry(verticalPerspective: 0.5),
      Geometry(
        crop: try rectangle(0, 0, 1, 999_999), straighten: 0.01, horizontalPerspective: -0.01,
        verticalPerspective: 0.02),
      Geometry(
        crop: try rectangle(-250_000, 100_000, 1_300_000, 1_000_001), straighten: 7.25,
        horizontalPerspective: 0.123, verticalPerspective: -0.007),
    ]
  }

  /// Two rotations in sequence equal the combined rotation, and a rotation followed by its inverse changes nothing: the
  /// orientations act on geometries as a group.
  @Test func turnsAndCropsComposeInAnyOrder() throws {
    for geometry in try Self.samples() {
      #expect(geometry.turned(by: .identity) == geometry)
      for one in Orientation.allCases {
        #expect(geometry.turned(by: one).turned(by: one.inverse) == geometry)
        for two in Orientation.allCases {
          #expect(geometry.turned(by: one).turned(by: two) == geometry.turned(by: one.then(two)))
        }
      }
      let edit = Edit(orientation: .right, geometry: geometry)
      #expect((1...4).reduce(edit) { edit, _ in edit.turned(.right) } == edit)
      #expect(edit.turned(.flippedHorizontally).turned(.flippedHorizontally) == edit)
      #expect(
        edit.turned(.right).turned(.flippedVertically) == edit.turned(.flippedHorizontally).turned(.right))
    }
  }

  /// After a rotation, points of the cropped rectangle show the same points of the scene.
  @Test(arguments: Orientation.allCases)
  func aTurnMovesTheRectangleWithThePicture(_ turn: Orientation) throws {
    guard case .rectangle(let old) = try Self.rectangle(100_000, 200_000, 300_000, 600_000),
      case .rectangle(let new) = Crop.rectangle(old).turned(by: turn)
    else { return }
    let corners = [
      turn.apply(x: 0.1, y: 0.2, width: 1, height: 1), turn.apply(x: 0.4, y: 0.8, width: 1, height: 1),
    ]
    #expect(abs(Double(new.left) / 1e6 - min(corners[0].x, corners[1].x)) < 1e-9)
    #expect(abs(Double(new.top) / 1e6 - min(corners[0].y, corners[1].y)) < 1e-9)
    #expect(abs(Double(new.left + new.width) / 1e6 - max(corners[0].x, corners[1].x)) < 1e-9)
    #expect(abs(Double(new.top + new.height) / 1e6 - max(corners[0].y, corners[1].y)) < 1e-9)
  }

  @Test func aTurnExchangesPerspectivesAndAMirrorNegatesTheAngle() throws {
    let geometry = Geometry(
      crop: .aspect(try Crop.AspectRatio(width: 4, height: 3), .top), straighten: 3,
      horizontalPerspective: 0.1, verticalPerspective: 0.2)
    // What was widened at the top is widened at the right after a 90° rotation clockwise.
    #expect(
      geometry.turned(by: .right)
        == Geometry(
          crop: .aspect(try Crop.AspectRatio(width: 3, height: 4), .right), straighten: 3,
          horizontalPerspective: -0.2,
          verticalPerspective: 0.1))
    #expect(
      geometry.turned(by: .flippedHorizontally)
        == Geometry(
          crop: .aspect(try Crop.AspectRatio(width: 4, height: 3), .top), straighten: -3,
          horizontalPerspective: -0.1,
          verticalPerspective: 0.2))
  }

  @Test func anglesAreSetAndTheirSumIsExact() {
    for hundredths in stride(from: -4500, through: 4500, by: 7) {
      var edit = Edit.identity
      edit.geometry.straighten = Double(hundredths) / 100
      #expect(edit.isIdentity == (hundredths == 0))
      edit.geometry.straighten -= Double(hundredths) / 100
      #expect(edit.isIdentity)
    }
    var geometry = Geometry()
    for (given, kept) in [(2.504, 2.5), (-77, -45), (.infinity, 45), (.nan, 0)] {
      geometry.straighten = given
      #expect(geometry.straighten == kept)
    }
    geometry.verticalPerspective = 3
    #expect(geometry.verticalPerspective == 1)
  }

  @Test func theWholePictureIsNoCrop() throws {
    #expect(Geometry(crop: try Self.rectangle(0, 0, 1_000_000, 1_000_000)).isNeutral)
    for (left, top, width, height) in [
      (0, 0, 0, 5), (0, 0, 5, 0), (1, 0, 5_000_000, 5), (0, 4_999_999, 5, 2), (-4_000_001, 0, 5, 5),
      (0, 0, 5, .max),
    ] {
      #expect(throws: EditError.self) { try Self.rectangle(left, top, width, height) }
    }
    #expect(try Crop.AspectRatio(width: 1600, height: 1200) == Crop.AspectRatio(width: 4, height: 3))
    for (width, height) in [(0, 1), (1, 0), (10_001, 9), (1, 101), (-4, 3)] {
      #expect(throws: EditError.self) { try Crop.AspectRatio(width: width, height: height) }
    }
  }

  @Test func everyGeometryComesBack() throws {
    for geometry in try Self.samples() {
      let edit = Edit(orientation: .left, geometry: geometry)
      let data = AdjustmentData(edit: edit, settings: .standard)
      #expect(!edit.isIdentity && !edit.isTurnOnly && edit.keepsColors)
      #expect(AdjustmentData(edit: edit, settings: .standard, process: nil).formatVersion == "1.2")
      #expect(try #require(data.decoded()).edit == edit)
      let job = RenderJob(photo: nil, movie: nil, edit: edit, settings: .standard, identifier: nil)
      #expect(try JSONDecoder().decode(RenderJob.self, from: JSONEncoder().encode(job)) == job)
      var partial = PartialEdit()
      partial.geometry = geometry
      let preset = Preset(name: "a", summary: "b", edit: partial)
      #expect(try Preset(json: preset.json, name: "a") == preset)
    }
  }

  @Test func goldenBytes() throws {
    let samples = try Self.samples()
    #expect(
      samples[0].canonicalJSON.canonicalText == #"{"crop":{"rectangle":[0.1,0.250001,0.3,0.5]}}"#)
    #expect(
      samples[1].canonicalJSON.canonicalText
        == #"{"crop":{"anchor":"topLeft","aspect":[16,9]},"straighten":2.5}"#)
    #expect(
      samples[3].canonicalJSON.canonicalText
        == #"{"horizontalPerspective":0.25,"straighten":-45,"verticalPerspective":-1}"#)
    // Builds that do not support thousandths or positions outside the frame round or refuse these values. They also
    // reject any text that differs from the text they would write.
    #expect(
      samples[6].canonicalJSON.canonicalText
        == #"{"crop":{"rectangle":[-0.25,0.1,1.3,1.000001]},"horizontalPerspective":0.123,"straighten":7.25,"verticalPerspective":-0.007}"#
    )
  }

  @Test(arguments: [
    #"{}"#, #"{"straighten":0}"#, #"{"straighten":46}"#, #"{"straighten":0.001}"#, #"{"zoom":1}"#,
    #"{"crop":{}}"#, #"{"crop":{"aspect":[8,6]}}"#, #"{"crop":{"aspect":[4]}}"#,
    #"{"crop":{"anchor":"center","aspect":[4,3]}}"#, #"{"crop":{"anchor":"above","aspect":[4,3]}}"#,
    #"{"crop":{"rectangle":[0,0,1,1]}}"#, #"{"crop":{"rectangle":[4.5,0,0.6,1]}}"#,
    #"{"crop":{"rectangle":[0,0,1e300,1]}}"#, #"{"crop":{"rectangle":[0,0,0.5]}}"#,
    #"{"crop":{"aspect":[4,3],"rectangle":[0,0,0.5,0.5]}}"#, #"{"verticalPerspective":-1.5}"#,
  ])
  func whatThisBuildWouldNotWriteIsForeign(_ text: String) {
    let data = AdjustmentData(
      formatIdentifier: AdjustmentData.ownFormatIdentifier, formatVersion: "1.2",
      data: Data(#"{"edit":{"geometry":\#(text)}}"#.utf8))
    #expect(!data.canHandle)
  }

  /// If a partial edit changes the orientation, the crop still shows the same part of the scene.
  @Test func anotherTurnTakesTheGeometryAlong() throws {
    let geometry = try Self.samples()[1]
    var partial = PartialEdit()
    partial.orientation = .down
    #expect(
      partial.applied(to: Edit(orientation: .right, geometry: geometry))
        == Edit(orientation: .down, geometry: geometry.turned(by: .right)))
    #expect(
      PartialEdit([.orientation], of: .identity).applied(to: Edit(orientation: .right, geometry: geometry))
        == Edit(geometry: geometry.turned(by: .left)))
    partial.geometry = .neutral
    #expect(partial.applied(to: Edit(geometry: geometry)) == Edit(orientation: .down))
  }
}
