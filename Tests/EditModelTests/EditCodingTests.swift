import Basics
import Foundation
import Testing

@testable import EditModel

@Suite struct EditCodingTests {
  private static let cube = """
    TITLE "Warm \\"
    LUT_1D_SIZE 2
    LUT_3D_SIZE 2
    DOMAIN_MIN 0 0 -0.125
    DOMAIN_MAX 1 1.5 1
    0 0 0
    1 0.9 0.8
    0 0 0
    1 0 0
    0 1 0
    1 1 0
    0 0 1
    1 0 1
    0 1 1
    1 1 0.9

    """

  /// Returns an edit in which no part is neutral.
  private static func full() throws -> Edit {
    var edit = Edit(orientation: .left)
    for parameter in Parameter.allCases {
      let range = parameter.description.range
      edit[parameter] = (range.lowerBound + 3 * range.upperBound) / 4
    }
    edit.curve = try ToneCurve([.init(x: 0, y: 25), .init(x: 333, y: 500)])
    edit.channelCurves[.red] = try ToneCurve([.init(x: 500, y: 400)])
    edit.channelCurves[.luma] = edit.curve
    edit.look = Look(.table(try CubeFile.parse(Array(cube.utf8))), intensity: 0.35)
    return edit
  }

  @Test func goldenBytes() throws {
    var edit = Edit(orientation: .right)
    edit[.exposure] = -0.5
    edit[.levelsBlack] = 0.015
    edit[.saturation] = 1
    edit[.monochrome] = 0.07
    edit.curve = try ToneCurve([.init(x: 250, y: 200), .init(x: 0, y: 0)])
    edit.look = Look(.builtIn(.noir), intensity: 0.5)
    let data = AdjustmentData(edit: edit, settings: .standard)
    #expect(
      String(decoding: data.data, as: UTF8.self)
        == #"{"edit":{"blackAndWhite":{"monochrome":0.07},"color":{"saturation":1},"curve":[[0,0],[0.25,0.2]],"#
        + #""light":{"exposure":-0.5,"levelsBlack":0.015},"look":{"intensity":0.5,"name":"noir"},"#
        + #""orientation":6},"process":1}"#)
    #expect(data.formatVersion == "1.4")
    #expect(try #require(data.decoded()).edit == edit)
  }

  @Test func gamutOfALookComesBack() throws {
    let edit = Edit(look: Look(.builtIn(.noir), intensity: 0.5, isWide: true))
    let data = AdjustmentData(edit: edit, settings: .standard)
    let text = String(decoding: data.data, as: UTF8.self)
    #expect(text == #"{"edit":{"look":{"gamut":"p3","intensity":0.5,"name":"noir"}},"process":1}"#)
    #expect(data.formatVersion == "1.7")
    #expect(try #require(data.decoded()).edit == edit)
    let half = try #require(PartialEdit([.look], of: edit).scaled(by: 0.5).look)
    #expect(half.isWide && half.hundredths == 25)
    for other in [#""srgb""#, "true", "1"] {
      let changed = AdjustmentData(
        formatIdentifier: data.formatIdentifier, formatVersion: data.formatVersion,
        data: Data(text.replacing(#""p3""#, with: other).utf8))
      #expect(changed.decoded() == nil)
    }
  }

  @Test func everyPartComesBack() throws {
    let edit = try Self.full()
    #expect(edit.adjustments.changed == Parameter.allCases)
    let data = AdjustmentData(edit: edit, settings: .standard)
    #expect(try #require(data.decoded()).edit == edit)
    // The job that the helper reads preserves the edit.
    let job = RenderJob(photo: nil, movie: nil, edit: edit, settings: .standard, identifier: nil)
    #expect(try JSONDecoder().decode(RenderJob.self, from: JSONEncoder().encode(job)) == job)
    for look in BuiltInLook.allCases {
      let edit = Edit(look: Look(.builtIn(look)))
      #expect(AdjustmentData(edit: edit, settings: .standard).decoded()?.edit == edit)
    }
  }

  /// A program that only supports orientations must consider these edits foreign. Edits of earlier builds do not state
  /// a process.
  @Test func everyNewPartNeedsTheNewVersion() throws {
    let full = try Self.full()
    var edits = [Edit(curve: full.curve), Edit(channelCurves: [.red: full.curve]), Edit(look: full.look)]
    for parameter in Parameter.allCases {
      var edit = Edit.identity
      edit[parameter] = full[parameter]
      edits.append(edit)
    }
    for edit in edits {
      let isSpatial = edit.adjustments.changed.contains {
        [.detail, .effects].contains($0.description.group)
      }
      #expect(!edit.isIdentity && !edit.keepsAppearance && edit.keepsColors == isSpatial)
      let earlier = AdjustmentData(edit: edit, settings: .standard, process: nil)
      #expect(earlier.formatVersion == (isSpatial ? "1.2" : "1.1"))
      #expect(earlier.decoded()?.edit == edit)
    }
  }

  @Test(arguments: [
    #"{"edit":{"light":{"exposure":0.501}}}"#, #"{"edit":{"light":{"exposure":9}}}"#,
    #"{"edit":{"light":{"exposure":0}}}"#, #"{"edit":{"light":{"saturation":0.5}}}"#,
    #"{"edit":{"light":{"glow":0.5}}}"#, #"{"edit":{"light":{}}}"#, #"{"edit":{"light":{"exposure":0.50}}}"#,
    #"{"edit":{"curve":[]}}"#, #"{"edit":{"curve":[[0.5,0.5]]}}"#, #"{"edit":{"curve":[[0.5,1e300]]}}"#,
    #"{"edit":{"curve":[[0.5,0.2,0.1]]}}"#, #"{"edit":{"curve":[[0.5,0.2],[0.5,0.3]]}}"#,
    #"{"edit":{"look":{"name":"unheard"}}}"#, #"{"edit":{"look":{"name":"noir","intensity":0}}}"#,
    #"{"edit":{"look":{"table":{}}}}"#,
    #"{"edit":{"look":{"table":{"lattice":{"samples":"AAA=","size":2}}}}}"#,
    #"{"edit":{"look":{"table":{"lattice":{"samples":"","size":4611686018427387904}}}}}"#,
  ])
  func whatThisBuildWouldNotWriteIsForeign(_ text: String) {
    let data = AdjustmentData(
      formatIdentifier: AdjustmentData.ownFormatIdentifier, formatVersion: "1.1", data: Data(text.utf8))
    #expect(!data.canHandle)
  }

  @Test func decimalsHaveOneForm() {
    let cases: [(Int, Int, String)] = [
      (0, 2, "0"), (5, 2, "0.05"), (-5, 2, "-0.05"), (50, 2, "0.5"), (-100, 2, "-1"), (12345, 3, "12.345"),
      (1_000_000, 6, "1"), (7, 0, "7"),
    ]
    for (units, digits, text) in cases {
      #expect(JSONValue.decimal(units, digits: digits).canonicalText == text)
    }
  }
}
