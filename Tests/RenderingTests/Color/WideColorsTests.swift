import EditModel
import Foundation
import TestSupport
import Testing

@testable import Rendering

@Suite struct WideColorsTests {
  /// Tests the primaries of ITU-T H.273 table 2.
  @Test(arguments: [(2, true), (1, true), (12, false), (9, false), (11, false), (4, false)])
  func codePointsSayHowFarColorsGo(_ primaries: Int, _ areNarrow: Bool) {
    let color = ColorDescription(primaries: primaries, transfer: 13, matrix: 5, isFullRange: true)
    #expect(WideColors.areNarrow(color, profile: nil) == areNarrow)
  }

  @Test(arguments: [16, 18]) func lightOfHDRIsNotNarrow(_ transfer: Int) {
    let color = ColorDescription(primaries: 1, transfer: transfer, matrix: 1, isFullRange: false)
    #expect(!WideColors.areNarrow(color, profile: nil))
  }

  /// Profiles made by Little CMS's own program or by a camera.
  @Test func profilesSayIt() throws {
    let p3 = try #require(ICCProfileWriter.profile(of: ColorDescription(primaries: 12, transfer: 13)))
    #expect(!WideColors.areNarrow(.jpeg, profile: p3))
    let made = try Tools.run([
      "python3", "-c",
      """
      import sys
      from PIL import ImageCms
      sys.stdout.buffer.write(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
      """,
    ])
    #expect(WideColors.areNarrow(.jpeg, profile: [UInt8](made.standardOutput)))
    // An unusable profile counts as sRGB.
    #expect(WideColors.areNarrow(.jpeg, profile: [1, 2, 3]))
  }

  @Test func theProfileIsThatOfDisplayP3() throws {
    var edit = Edit(look: Look(.builtIn(.film), isWide: true))
    let profile = try #require(WideColors.profile(after: edit, of: .jpeg, profile: nil))
    let folder = try TemporaryFolder()
    let file = try folder.write(profile, to: "new.icc")
    let tags = try Tools.exiftool(file)
    // The colourants of Apple's own profile of this name, adapted to D50.
    for (tag, wanted) in [
      ("Red", [0.51512, 0.2412, -0.00105]), ("Green", [0.29198, 0.69225, 0.04189]),
      ("Blue", [0.1571, 0.06657, 0.78407]),
    ] {
      let found = (tags["ICC_Profile:\(tag)MatrixColumn"] ?? "").split(separator: " ").compactMap {
        Double($0)
      }
      try #require(found.count == 3, "\(tags)")
      #expect(zip(found, wanted).allSatisfy { abs($0 - $1) < 0.001 }, "\(tag) \(found)")
    }
    edit.look = Look(.builtIn(.film))
    #expect(WideColors.profile(after: edit, of: .jpeg, profile: nil) == nil)
    edit.look = nil
    #expect(WideColors.profile(after: edit, of: .jpeg, profile: nil) == nil)
  }
}
