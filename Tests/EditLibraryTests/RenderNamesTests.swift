import Testing

@testable import EditLibrary

@Suite struct RenderNamesTests {
  @Test(arguments: [
    ("IMG_0001.JPG", "IMG_E0001.JPG"), ("IMG_0001.jpeg", "IMG_E0001.jpeg"), ("img_1234.mov", "img_E1234.mov"),
    ("Abc_9999.HEIC", "Abc_E9999.HEIC"), ("IMG_00012.JPG", "IMG_00012_edited.JPG"),
    ("IMG_001.JPG", "IMG_001_edited.JPG"),
    ("DSCF0001.JPG", "DSCF0001_edited.JPG"), ("holiday.Jpg", "holiday_edited.Jpg"),
    ("a.b.JPG", "a.b_edited.JPG"),
    ("noextension", "noextension_edited"), (".hidden", ".hidden_edited"),
    ("ÄMG_0001.JPG", "ÄMG_0001_edited.JPG"),
    ("IMG_E0001.JPG", "IMG_E0001_edited.JPG"), ("IMG_00١1.JPG", "IMG_00١1_edited.JPG"),
    ("_edited.JPG", "_edited_edited.JPG"),
    ("I1G_0001.JPG", "I1G_0001_edited.JPG"), ("IMG-0001.JPG", "IMG-0001_edited.JPG"),
  ])
  func rendersGetApplesNamesAndLeadBack(_ original: String, _ render: String) {
    #expect(RenderNames.render(of: original) == render)
    #expect(
      RenderNames.originalStem(ofRender: RenderNames.Parts(render).stem) == RenderNames.Parts(original).stem)
  }

  @Test func theRenderOfAMovieHasThePhotosStem() {
    let (originals, stem) = (["IMG_7943.HEIC", "IMG_7943_HEVC.MOV"], "IMG_7943")
    #expect(RenderNames.render(of: originals[1], ofAsset: stem) == "IMG_E7943.MOV")
    for name in ["IMG_E7943.MOV", "IMG_7943_HEVC_edited.MOV"] {
      #expect(RenderNames.isRender(name, of: originals[1], ofAsset: stem))
      #expect(RenderNames.canStandBeside(originals, ofAsset: stem, name))
    }
    for name in ["IMG_7943_HEVC.MOV", "IMG_7943.HEIC", "IMG_E7944.MOV"] {
      #expect(!RenderNames.canStandBeside(originals, ofAsset: stem, name))
    }
  }

  /// `clip.mp4` beside `clip.jpg`; both have the stem `clip`.
  @Test func theWholeNameStandsForTheStem() {
    let stem = "clip.mp4"
    #expect(RenderNames.render(of: "clip.mp4", ofAsset: stem) == "clip.mp4_edited.mp4")
    for name in ["clip.mp4_edited.mp4", "clip.mp4.AAE", "clip.mp4_edited.mp4.xmp"] {
      #expect(RenderNames.canStandBeside([stem], ofAsset: stem, name), "\(name)")
      #expect(!RenderNames.canStandBeside(["clip.jpg"], ofAsset: "clip", name), "\(name)")
    }
    for name in ["clip_edited.mp4", "clip.AAE", "clip_edited.jpg", "clip.mp4", "clip.jpg"] {
      #expect(!RenderNames.canStandBeside([stem], ofAsset: stem, name), "\(name)")
    }
    #expect(!RenderNames.isRender("clip_edited.mp4", of: stem, ofAsset: stem))
  }

  @Test(arguments: ["IMG_0001", "IMG_O0001", "IMG_E001", "_edited", "holiday", "IMG_0001_edited", "edited"])
  func otherNamesAreNoRenders(_ stem: String) {
    #expect(RenderNames.originalStem(ofRender: stem) == nil)
  }

  @Test func adjustmentsAreNamedByTheStem() {
    #expect(RenderNames.adjustments(of: "IMG_0001") == "IMG_0001.AAE")
    #expect(RenderNames.adjustments(of: "holiday") == "holiday.AAE")
  }

  @Test func camerasNamesHaveThreeLettersAndFourDigits() {
    for stem in ["IMG_0001", "abc_9999"] { #expect(RenderNames.isCameraStem(stem)) }
    for stem in [
      "IMG_001", "IMG_00011", "IMG-0001", "I1G_0001", "IMG_E0001", "ÄMG_0001", "IMG_00١1", "", "holiday",
    ] {
      #expect(!RenderNames.isCameraStem(stem))
      #expect(RenderNames.recipeStem(of: stem) == nil)
    }
    #expect(RenderNames.recipeStem(of: "IMG_0001") == "IMG_O0001")
  }

  @Test func sidecarsOfRendersStandBesideOriginalsAndNoOthers() {
    let (originals, stem) = (["IMG_0001.HEIC", "IMG_0001.MOV"], "IMG_0001")
    for name in ["IMG_E0001.HEIC.xmp", "IMG_E0001.JPG.xmp", "IMG_E0001.MOV.xmp"] {
      #expect(RenderNames.canStandBeside(originals, ofAsset: stem, name), "\(name)")
    }
    // Names of originals belong to other programs and are never moved.
    for name in [
      "IMG_0001.HEIC.xmp", "IMG_0001.xmp", "IMG_E0001.xmp", "IMG_E0002.HEIC.xmp", "IMG_E0001.HEIC.xmp.xmp",
    ] {
      #expect(!RenderNames.canStandBeside(originals, ofAsset: stem, name), "\(name)")
    }
  }

  @Test func theSidecarOfThePhotoCountsBeforeThatOfTheMovie() {
    #expect(
      SidecarNames.possible(of: ["IMG_0001.JPG", "IMG_0001.MOV"]).filter { $0.hasSuffix("xmp") }
        == ["IMG_0001.JPG.xmp", "IMG_0001.xmp", "IMG_0001.MOV.xmp"])
    #expect(SidecarNames.possible(of: ["a.JPG", "b.MOV"]).first { $0.hasPrefix("b") } == "b.MOV.xmp")
  }
}
