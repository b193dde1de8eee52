import Foundation
import TestSupport
import Testing

extension CommandPNGTests {
  /// A PNG with the name of a HEIC is paired with its movie. The new pair gets a JPEG with the same picture and
  /// identifier.
  @Test func aPNGOfALivePhotoBecomesAJPEGInAPair() throws {
    try folder.copy(TestFiles.fixture("IMG_0004.HEIC"), TestFiles.fixture("IMG_0004.MOV"))
    try FileManager.default.moveItem(at: folder.file("IMG_0004.HEIC"), to: folder.file("old.HEIC"))
    _ = try folder.run(
      "exiftool", ["-q", "-overwrite_original", "-tagsFromFile", "old.HEIC", "-makernotes", "IMG_0005.PNG"])
    try FileManager.default.removeItem(at: folder.file("old.HEIC"))
    let picture = try folder.run("convert", ["IMG_0005.PNG", "rgb:-"])
    try FileManager.default.moveItem(at: folder.file("IMG_0005.PNG"), to: folder.file("IMG_0004.HEIC"))
    for form in ["pair", "pvt"] {
      let made = try run("export", "--as", form, "-o", "out-" + form, "IMG_0004.HEIC")
      #expect(made.status == 0, "\(made.standardError)")
      #expect(made.text.contains("encoded as JPEG"))
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("out-pair").path).sorted()
    #expect(names == ["IMG_0004.JPG", "IMG_0004.MOV"])
    let photo = folder.file("out-pair/IMG_0004.JPG")
    let tags = try Tools.exiftool(photo)
    let movie = try Tools.exiftool(folder.file("IMG_0004.MOV"))
    let identifier = tags["Apple:MediaGroupUUID"] ?? tags["Apple:ContentIdentifier"]
    #expect(identifier != nil && identifier == movie["Keys:ContentIdentifier"])
    #expect(try run("verify", "out-pair/IMG_0004.JPG").status == 0)
    let copy = try folder.run("convert", [photo.path, "rgb:-"])
    let difference = zip(picture, copy).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(copy.count == picture.count && difference < 4 * picture.count)
  }

  @Test func besideAPhotoOfItsNameItIsNone() throws {
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV"))
    try FileManager.default.copyItem(at: folder.file("IMG_0005.PNG"), to: folder.file("IMG_0001.PNG"))
    let list = try run("list")
    #expect(list.standardError.contains("not listed: 1 PNG (IMG_0001.PNG)"), "\(list.standardError)")
    #expect(list.lines.count == 3, "\(list.text)")
    let refused = try run("rotate", "--degrees", "90", "IMG_0001.PNG")
    #expect(
      refused.status == 1 && refused.standardError.contains("rename the file before you edit it"),
      "\(refused)")
    let turned = try run("rotate", "--degrees", "90", "IMG_0001.JPG")
    #expect(turned.status == 0, "\(turned.standardError)")
    #expect(FileManager.default.fileExists(atPath: folder.file("IMG_E0001.MOV").path))
  }

  /// A JPEG that becomes a HEIC remains half of its Live Photo and can be reverted.
  @Test func aJPEGBecomesHEICAndComesBack() throws {
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV"))
    let turned = try run("rotate", "--degrees", "90", "--photo-format", "heic", "IMG_0001.JPG")
    #expect(turned.status == 0, "\(turned.standardError)")
    let names = { try folder.names().filter { $0.hasPrefix("IMG_") && $0.contains("0001") } }
    #expect(
      try names() == ["IMG_0001.AAE", "IMG_0001.JPG", "IMG_0001.MOV", "IMG_E0001.HEIC", "IMG_E0001.MOV"])
    #expect(try run("verify", "IMG_E0001.HEIC", "IMG_E0001.MOV").status == 0)
    // The next edit keeps the format and starts from the original.
    #expect(try run("adjust", "--exposure", "0.3", "IMG_0001.JPG").status == 0)
    #expect(try Tools.exiftool(folder.file("IMG_E0001.HEIC"))["File:FileType"] == "HEIC")
    let back = try run("flip", "--horizontal", "--photo-format", "jpeg", "IMG_0001.JPG")
    #expect(back.status == 0, "\(back.standardError)")
    #expect(try names().contains("IMG_E0001.JPG"))
    #expect(try run("revert", "--to", "1", "IMG_0001.JPG").status == 0)
    #expect(try names().contains("IMG_E0001.HEIC"))
    #expect(try run("verify", "IMG_E0001.HEIC", "IMG_E0001.MOV").status == 0)
    #expect(try run("revert", "--to", "original", "IMG_0001.JPG").status == 0)
    #expect(try names() == ["IMG_0001.JPG", "IMG_0001.MOV"])
  }
}
