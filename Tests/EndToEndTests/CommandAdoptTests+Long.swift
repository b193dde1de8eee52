import Foundation
import TestSupport
import Testing

extension CommandAdoptTests {
  /// A script that edits an sRGB photo in Display P3, as another program might, and prints the difference between the
  /// pixel values of two photos.
  private static let inP3 = """
    import io, sys
    from PIL import Image, ImageChops, ImageCms, ImageStat
    profile = Image.open("IMG_0002.JPG").info["icc_profile"]
    if sys.argv[1:]:
        one, other = (Image.open(path) for path in sys.argv[1:])
        assert one.size == other.size
        print(max(ImageStat.Stat(ImageChops.difference(one, other)).mean))
    else:
        image = Image.open("IMG_0003.JPG")
        wide = ImageCms.profileToProfile(image, ImageCms.createProfile("sRGB"), io.BytesIO(profile))
        strong = Image.blend(wide.convert("L").convert("RGB"), wide, 1.7)
        strong.save("IMG_E0003.JPG", quality=95, icc_profile=profile, exif=image.info["exif"])
    """

  /// An adopted edit with a wider colour space than its photo keeps that colour space when it is applied to other
  /// photos.
  @Test func widerColorsComeAlong() throws {
    let folder = try TemporaryFolder()
    try folder.copy(
      TestFiles.fixture("IMG_0003.JPG"), TestFiles.fixture("IMG_0003.MOV"), TestFiles.fixture("IMG_0002.JPG"))
    try folder.run("mkdir", [folder.file("other").path])
    for name in ["IMG_0003.JPG", "IMG_0003.MOV"] {
      try FileManager.default.copyItem(at: folder.file(name), to: folder.file("other/" + name))
    }
    let made = try Tools.run(["python3", "-c", Self.inP3], in: folder.url)
    #expect(made.status == 0, "\(made.standardError)")
    let done = try Command.run("adopt", "IMG_0003.JPG", in: folder.url)
    #expect(done.status == 0, "\(done.standardError)")

    let applied = try Command.run("apply", "--from", "IMG_0003.JPG", "other/IMG_0003.JPG", in: folder.url)
    #expect(applied.status == 0, "\(applied.standardError)")
    #expect((applied.text + applied.standardError).contains("Display P3"), "\(applied.text)")
    let photo = folder.file("other/IMG_E0003.JPG")
    #expect(try Tools.exiftool(photo)["ICC_Profile:ProfileDescription"] == "Display P3")
    let compared = try Tools.run(
      ["python3", "-c", Self.inP3, "IMG_E0003.JPG", "other/IMG_E0003.JPG"], in: folder.url)
    let apart = try #require(Double(compared.text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(apart < 3)
    let verified = try Command.run("verify", "other/IMG_E0003.JPG", in: folder.url)
    #expect(verified.status == 0 && verified.text.contains("a valid Live Photo"), "\(verified.text)")
    #expect(try Command.run("revert", "other/IMG_0003.JPG", in: folder.url).status == 0)
    #expect(
      try Data(contentsOf: folder.file("other/IMG_0003.JPG"))
        == Data(contentsOf: TestFiles.fixture("IMG_0003.JPG")))
  }

  /// Refuses a different photo, which takes long to rule out, and a plain grey picture.
  @Test(arguments: Cases.chosen(["IMG_0003.JPG", "grey.jpg"]) { index, _ in index == 1 })
  func aPictureOfSomethingElseIsRefused(_ picture: String) throws {
    let folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV"))
    try folder.copy(TestFiles.fixture("IMG_0003.JPG"))
    let grey = ["-f", "lavfi", "-i", "color=gray:size=480x640", "-frames:v", "1", "grey.jpg"]
    #expect(try Tools.run(["ffmpeg", "-v", "error"] + grey, in: folder.url).status == 0)
    let before = try content(of: folder.url)
    let done = try Command.run("adopt", "--photo", picture, "IMG_0001.JPG", in: folder.url)
    #expect(done.status == 1 && done.sentences.count == 1, "\(done.standardError)")
    #expect(done.standardError.hasPrefix("liveedit: \(picture): the picture "), "\(done.standardError)")
    #expect(done.standardError.contains("; specify a picture made from the original"))
    #expect(try content(of: folder.url) == before)
  }

  /// `adopt` processes a folder and skips items that have no edited photo.
  @Test func aFolderIsGoneThrough() throws {
    let folder = try folder("IMG_E0001.JPG")
    try folder.copy(TestFiles.fixture("IMG_0003.JPG"), TestFiles.fixture("IMG_0003.MOV"))
    let done = try Command.run("adopt", "--only", "geometry", ".", in: folder.url)
    #expect(done.status == 0, "\(done.standardError)")
    #expect(done.text.contains("IMG_E0001.MOV") && !done.text.contains("IMG_0003"), "\(done.text)")
    let again = try Command.run("adopt", "--only", "geometry", ".", in: folder.url)
    #expect(again.status == 2 && again.text.isEmpty, "\(again.text)")
  }
}
