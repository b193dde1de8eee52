import EditModel
import TestSupport
import Testing

@testable import LivePhotoFormat

struct XMPTests {
  private static let size = PixelSize(width: 64, height: 48)
  private static let turnedSize = PixelSize(width: 48, height: 64)

  /// Returns a packet whose only description has these attributes and elements, with unusual prefixes.
  private static func packet(_ attributes: String = "", _ elements: String = "") -> [UInt8] {
    Array(
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- <tiff:Orientation>9</tiff:Orientation> -->
       <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:t='http://ns.adobe.com/tiff/1.0/'
         xmlns:e="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
        <r:Description r:about="" dc:format="a &amp; b > c" \(attributes)>
          <dc:title><r:Alt><r:li xml:lang="x-default">T&#xE9;st <![CDATA[<t:Orientation>8</t:Orientation>]]></r:li></r:Alt></dc:title>
          \(elements)
        </r:Description>
       </r:RDF>
      </x:xmpmeta>
                                                                                          \u{20}
      <?xpacket end="w"?>
      """.utf8)
  }

  private static func rewritten(
    _ bytes: [UInt8], by transform: Orientation = .right, limit: Int = 65_504
  ) throws -> (text: String, removed: [String]) {
    var packet = try #require(try XMPPacket(bytes))
    let change = PictureChange(
      transform: transform, orientation: .identity, old: size,
      new: transform.swapsAxes ? turnedSize : size, isNewPicture: true)
    let removed = packet.turnPlaces(change)
    packet.describe(change)
    return (String(decoding: try #require(packet.rewritten(limit: limit)), as: UTF8.self), removed)
  }

  @Test func setsAttributesAndNothingElse() throws {
    let before = Self.packet("t:Orientation = '6' e:PixelXDimension=\"64\"\n e:PixelYDimension=\"48\"")
    let result = try Self.rewritten(before)
    let after = Self.packet("t:Orientation = '1' e:PixelXDimension=\"48\"\n e:PixelYDimension=\"64\"")
    #expect(result.text == String(decoding: after, as: UTF8.self))
    #expect(result.removed.isEmpty)
  }

  @Test func setsElementsAndNothingElse() throws {
    let before =
      "<t:Orientation> &#54; </t:Orientation><t:ImageWidth>64</t:ImageWidth><t:ImageLength>48</t:ImageLength>"
    let after =
      "<t:Orientation> 1 </t:Orientation><t:ImageWidth>48</t:ImageWidth><t:ImageLength>64</t:ImageLength>"
    let result = try Self.rewritten(Self.packet("", before))
    #expect(result.text == String(decoding: Self.packet("", after), as: UTF8.self))
  }

  @Test func leavesAPacketWithoutAnyOfThemAlone() throws {
    let result = try Self.rewritten(Self.packet())
    #expect(result.text == String(decoding: Self.packet(), as: UTF8.self))
    #expect(result.removed.isEmpty)
  }

  @Test func swapsDifferentResolutions() throws {
    let result = try Self.rewritten(Self.packet("t:XResolution='72/1' t:YResolution='96/1'"))
    #expect(result.text.contains("t:XResolution='96/1' t:YResolution='72/1'"))
  }

  private static func regions(width: Int, height: Int, _ area: String) -> String {
    """
    <m:Regions xmlns:m="http://www.metadataworkinggroup.com/schemas/regions/"
      xmlns:a="http://ns.adobe.com/xmp/sType/Area#" xmlns:d="http://ns.adobe.com/xap/1.0/sType/Dimensions#"
      r:parseType="Resource">
     <m:AppliedToDimensions d:w="\(width)" d:h="\(height)" d:unit="pixel"/>
     <m:RegionList><r:Bag><r:li r:parseType="Resource">
      <m:Type>Face</m:Type><m:Name>x &lt; 0.25</m:Name>\(area)
     </r:li></r:Bag></m:RegionList>
    </m:Regions>
    """
  }

  /// The result of each transform for centre 0.20 0.3 and size 0.10 x 0.4, calculated by hand.
  static let areas: [Orientation: [String]] = [
    .up: ["0.20", "0.3", "0.10", "0.4"], .upMirrored: ["0.80", "0.3", "0.10", "0.4"],
    .down: ["0.80", "0.7", "0.10", "0.4"], .downMirrored: ["0.20", "0.7", "0.10", "0.4"],
    .leftMirrored: ["0.3", "0.20", "0.4", "0.10"], .right: ["0.7", "0.20", "0.4", "0.10"],
    .rightMirrored: ["0.7", "0.80", "0.4", "0.10"], .left: ["0.3", "0.80", "0.4", "0.10"],
  ]

  @Test(arguments: Orientation.allCases) func turnsRegionsOfTheStoredPicture(transform: Orientation) throws {
    func attributes(_ v: [String]) -> String {
      "<m:Area a:x=\"\(v[0])\" a:y=\"\(v[1])\" a:w=\"\(v[2])\" a:h=\"\(v[3])\" a:unit=\"normalized\"/>"
    }
    func elements(_ v: [String]) -> String {
      "<m:Area><r:Description><a:h>\(v[3])</a:h><a:w>\(v[2])</a:w><a:x>\(v[0])</a:x><a:y>\(v[1])</a:y></r:Description></m:Area>"
    }
    let area = try #require(Self.areas[transform])
    for form in [attributes, elements] {
      let before = Self.packet("", Self.regions(width: 64, height: 48, form(["0.20", "0.3", "0.10", "0.4"])))
      let result = try Self.rewritten(before, by: transform)
      let size = transform.swapsAxes ? (48, 64) : (64, 48)
      let after = Self.packet("", Self.regions(width: size.0, height: size.1, form(area)))
      #expect(result.text == String(decoding: after, as: UTF8.self))
      #expect(result.removed.isEmpty)
    }
  }

  @Test(arguments: [
    regions(width: 48, height: 64, "<m:Area a:x='0.2' a:y='0.3' a:w='0.1' a:h='0.4'/>"),
    regions(width: 64, height: 48, "<m:Area a:x='20' a:y='30' a:w='1' a:h='4' a:unit='pixel'/>"),
    regions(width: 64, height: 48, "<m:Area a:x='nan' a:y='0.3'/>"),
  ])
  func removesRegionsThatCannotBeTurned(regions: String) throws {
    let result = try Self.rewritten(Self.packet("t:Orientation='6'", regions))
    #expect(result.removed == ["mwg-rs"])
    #expect(
      result.text
        == String(decoding: Self.packet("t:Orientation='1'", "\u{0}"), as: UTF8.self)
        .replacing("\n    \u{0}", with: ""))
  }

  // The form that iPhones write. exiftool calls the angles RegionExtensionsAngleInfo….
  @Test func removesTheAnglesOfTurnedFaces() throws {
    func face(_ x: String, _ y: String, _ angles: String) -> String {
      """
      <m:Area r:parseType="Resource"><a:y>\(y)</a:y><a:x>\(x)</a:x><a:unit>normalized</a:unit></m:Area>\
      <m:Extensions xmlns:f="http://ns.apple.com/faceinfo/1.0/" r:parseType="Resource">\(angles)<f:FaceID>1013</f:FaceID></m:Extensions>
      """
    }
    let angles = "<f:AngleInfoYaw>36</f:AngleInfoYaw> <f:AngleInfoRoll>5</f:AngleInfoRoll>"
    let before = face("0.35490476190476195", "0.82000000000000006", angles)
    let after = face("0.17999999999999994", "0.35490476190476195", "")
    let result = try Self.rewritten(Self.packet("", Self.regions(width: 64, height: 48, before)))
    #expect(
      result.text
        == String(decoding: Self.packet("", Self.regions(width: 48, height: 64, after)), as: UTF8.self))
    #expect(
      result.removed == ["mwg-rs:RegionExtensionsAngleInfoYaw", "mwg-rs:RegionExtensionsAngleInfoRoll"])
  }

  @Test func subtractsDecimalTextExactly() {
    let expected = [
      "0.1": "0.9", "0.123456789012345": "0.876543210987655", "1": "0", "0": "1", "1.0": "0.0", ".25": "0.75",
      "-0.25": "1.25", "1.5": "-0.5", "0.50": "0.50", "0.0000001": "0.9999999",
    ]
    for (text, rest) in expected { #expect(XMPPacket.oneMinus(text) == rest) }
    #expect(XMPPacket.oneMinus("2.5e-1") == "0.750000000000")
    for text in ["", ".", "-", "x", "1e400", "nan", "99999999999999999999", "0.1.2", "--1"] {
      #expect(XMPPacket.oneMinus(text) == nil)
    }
  }

  @Test func removesWhatDescribesPlacesAndNamesIt() throws {
    let attributes = """
      xmlns:depthData="http://ns.apple.com/depthData/1.0/" depthData:Accuracy="relative" \
      xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" crs:CropTop="0.1" crs:Exposure2012="1" \
      xmlns:matte="http://ns.apple.com/portraitEffectsMatte/1.0/" matte:Version="1"
      """
    let elements = """
      <apdi:AuxiliaryImageType xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/">x</apdi:AuxiliaryImageType>
          <MP:RegionInfo xmlns:MP="http://ns.microsoft.com/photo/1.2/"><r:Description/></MP:RegionInfo>
          <e:SubjectArea><r:Seq><r:li>10</r:li><r:li>20</r:li></r:Seq></e:SubjectArea>
      """
    let result = try Self.rewritten(Self.packet(attributes, elements))
    #expect(Set(result.removed) == ["depthData", "crs", "matte", "apdi", "MP"])
    for gone in ["Accuracy", "CropTop", "matte:Version", "Auxiliary", "RegionInfo"] {
      #expect(!result.text.contains(gone))
    }
    #expect(result.text.contains("crs:Exposure2012=\"1\""))
    #expect(result.text.contains("<r:li>28</r:li><r:li>10</r:li>"))
  }

  @Test func takesPaddingWhenThePacketIsFull() throws {
    let before = Self.packet("t:ImageWidth='9' t:ImageLength='9'")
    let result = try Self.rewritten(before, limit: before.count)
    #expect(result.text.utf8.count == before.count)
    #expect(result.text.contains("t:ImageWidth='48' t:ImageLength='64'"))
    var packet = try #require(try XMPPacket(before))
    packet.set("ImageWidth", in: XMPPacket.Namespace.tiff, to: String(repeating: "1", count: 500))
    #expect(packet.rewritten(limit: before.count) == nil)
  }

  @Test(arguments: [
    "", "text", "<a>", "<a></b>", "<a b></a>", "<a b=c/>", "<a b='<'/>", "<!DOCTYPE a><a/>", "<a/", "<a b='",
    "<?xpacket", "<a><!-- </a>", "<", "</a>",
  ])
  func refusesWhatIsNotXML(text: String) throws {
    #expect(try XMPPacket(Array(text.utf8)) == nil)
  }

  /// A description that loses its last property is removed. A description that was already empty is kept.
  @Test func emptiedDescriptionsGo() throws {
    let head =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
    let (empty, kept) = ("<r:Description r:about=''/>", "<r:Description r:about='' xmlns:d='d/' d:a='1'/>")
    let camera = "xmlns:c='http://ns.google.com/photos/1.0/camera/'"
    let emptied = [
      "<r:Description r:about='' \(camera) c:MotionPhoto='1' c:MotionPhotoVersion='1'/>",
      "<r:Description \(camera)>\n <c:MicroVideo>1</c:MicroVideo>\n</r:Description>",
    ]
    let text = head + empty + emptied[0] + "\n  " + emptied[1] + kept + "</r:RDF></x:xmpmeta>"
    let rest = try #require(try XMPPacket.withoutMotionPhoto(Array(text.utf8)))
    #expect(String(decoding: rest, as: UTF8.self) == head + empty + kept + "</r:RDF></x:xmpmeta>")
  }

  @Test func knowsMotionPhotos() throws {
    let camera = "xmlns:c='http://ns.google.com/photos/1.0/camera/' "
    #expect(try #require(try XMPPacket(Self.packet(camera + "c:MotionPhoto='1'"))).isMotionPhoto)
    #expect(
      try #require(try XMPPacket(Self.packet("", "<c:MicroVideo \(camera)>1</c:MicroVideo>"))).isMotionPhoto)
    #expect(try !#require(try XMPPacket(Self.packet(camera + "c:MotionPhoto='0'"))).isMotionPhoto)
    #expect(try !#require(try XMPPacket(Self.packet())).isMotionPhoto)
  }

  // exiftool reads the result and finds the region at its new position in the picture.
  @Test func exiftoolReadsTurnedRegions() throws {
    let folder = try TemporaryFolder()
    let region =
      "-XMP-mwg-rs:RegionInfo={AppliedToDimensions={W=64,H=48,Unit=pixel},RegionList=[{Name=Ann,Type=Face,"
      + "Area={X=0.25,Y=0.125,W=0.5,H=0.0625,Unit=normalized}}]}"
    let photo = try folder.photo(
      exiftool: [region, "-XMP-dc:Title=Waves", "-XMP-tiff:Orientation#=6", "-XMP-exif:ExifImageWidth=64"])
    let result = try JPEGSurgery(photo).rewritten(
      image: try folder.turned(photo, .right), transform: .right, identifier: nil, thumbnail: nil)
    #expect(result.removals.isEmpty)
    let path = try folder.write(result.bytes, to: "result.jpg").path
    let lines = try folder.run(
      "exiftool",
      [
        "-s3", "-n", "-RegionAreaX", "-RegionAreaY", "-RegionAreaW", "-RegionAreaH",
        "-RegionAppliedToDimensionsW",
        "-RegionAppliedToDimensionsH", "-RegionName", "-XMP-tiff:Orientation", "-XMP-exif:ExifImageWidth",
        "-Title", path,
      ])
    #expect(
      String(decoding: lines, as: UTF8.self).split(separator: "\n")
        == ["0.875", "0.25", "0.0625", "0.5", "48", "64", "Ann", "1", "48", "Waves"])
  }
}
