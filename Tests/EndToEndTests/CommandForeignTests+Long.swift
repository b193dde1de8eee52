import Foundation
import TestSupport
import Testing

extension CommandForeignTests {
  @Test func eachIsNamedInOneSentence() throws {
    let folder = try TemporaryFolder()
    try Self.fill(folder)
    for (name, words) in Self.formats {
      // The file's content decides, not its name.
      let asPhoto = "photo-" + name + ".jpg"
      try FileManager.default.copyItem(at: folder.file(name), to: folder.file(asPhoto))
      for file in [name, asPhoto] {
        for command in [["rotate", "--degrees", "90"], ["inspect"]] {
          let output = try Tools.run([Command.path] + command + [file], in: folder.url)
          #expect(output.status == 1 && output.sentences.count == 1, "\(output.standardError)")
          #expect(output.standardError.contains("\(file): is a \(words)"), "\(output.standardError)")
        }
      }
    }
    #expect(try !folder.names().contains { $0.contains("_edited") })
  }

  /// A converted HEIC can retain XMP about a gain map that is gone. Such a HEIC is not listed as HDR.
  @Test func onlyAGainMapMakesAHEICHDR() throws {
    let folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("spatial.HEIC"), TestFiles.fixture("shared.HEIC"))
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description rdf:about="" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"/>\
      </rdf:RDF></x:xmpmeta>
      """
    try folder.write(Array(packet.utf8), to: "packet.xmp")
    let written = try Tools.run([
      "exiftool", "-q", "-overwrite_original", "-XMP<=\(folder.file("packet.xmp").path)",
      folder.file("spatial.HEIC").path,
    ])
    #expect(written.status == 0, "\(written.standardError)")
    let kind = try Tools.exiftool(folder.file("shared.HEIC"))["QuickTime:AuxiliaryImageType"]
    #expect(kind?.hasSuffix("hdrgainmap") == true)
    #expect(try Tools.exiftool(folder.file("spatial.HEIC"))["QuickTime:AuxiliaryImageType"] == nil)
    let hdr = try Command.run("list", "--paths", "--filter", "subtype = hdr", in: folder.url)
    #expect(hdr.lines == ["shared.HEIC"], "\(hdr.text)")
  }
}
