/// Invented XMP sidecars for tests, in the forms that other programs write.
public enum Sidecars {
  /// A sidecar as digiKam writes it through Exiv2: texts as attributes, lists as elements, and a name in a face region.
  public static let digiKam = """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about=""
        xmlns:digiKam="http://www.digikam.org/ns/1.0/"
        xmlns:xmp="http://ns.adobe.com/xap/1.0/"
        xmlns:exif="http://ns.adobe.com/exif/1.0/"
        xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/"
        xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
       xmp:CreateDate="2001-01-01T00:00:00"
       xmp:Rating="4"
       exif:DateTimeOriginal="2023-06-07T08:09:10"
       photoshop:DateCreated="2002-01-01T00:00:00"
       exif:GPSLatitude="48,8.22000000N"
       exif:GPSLongitude="11,34.50000000E"
       exif:GPSAltitudeRef="0"
       exif:GPSAltitude="519123/1000"
       digiKam:PickLabel="0">
       <digiKam:TagsList>
        <rdf:Seq>
         <rdf:li>Places/Munich</rdf:li>
         <rdf:li>snow</rdf:li>
        </rdf:Seq>
       </digiKam:TagsList>
       <dc:subject>
        <rdf:Bag>
         <rdf:li>Munich</rdf:li>
         <rdf:li>snow</rdf:li>
        </rdf:Bag>
       </dc:subject>
       <dc:title>
        <rdf:Alt>
         <rdf:li xml:lang="de">Am Platz</rdf:li>
         <rdf:li xml:lang="x-default">On the square</rdf:li>
        </rdf:Alt>
       </dc:title>
       <dc:description>
        <rdf:Alt>
         <rdf:li xml:lang="x-default">Bread &amp; butter</rdf:li>
        </rdf:Alt>
       </dc:description>
       <mwg-rs:Regions rdf:parseType="Resource">
        <mwg-rs:RegionList>
         <rdf:Bag>
          <rdf:li>
           <rdf:Description mwg-rs:Name="Zoë" mwg-rs:Type="Face"/>
          </rdf:li>
         </rdf:Bag>
        </mwg-rs:RegionList>
       </mwg-rs:Regions>
      </rdf:Description>
     </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="w"?>
    """

  /// A sidecar as darktable writes it: dates in the Exif format, darktable's own history, and a rejected picture.
  public static let darktable = """
    <?xml version="1.0" encoding="UTF-8"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about=""
        xmlns:exif="http://ns.adobe.com/exif/1.0/"
        xmlns:xmp="http://ns.adobe.com/xap/1.0/"
        xmlns:darktable="http://darktable.sf.net/"
        xmlns:dc="http://purl.org/dc/elements/1.1/"
        xmlns:lr="http://ns.adobe.com/lightroom/1.0/"
       exif:DateTimeOriginal="2023:06:07 08:09:10.500"
       exif:GPSLatitude="33,51.407064S"
       exif:GPSLongitude="151,12.917802W"
       xmp:Rating="-1"
       darktable:xmp_version="5"
       darktable:auto_presets_applied="1"
       darktable:history_end="1">
       <darktable:history>
        <rdf:Seq>
         <rdf:li darktable:num="0" darktable:operation="exposure" darktable:enabled="1"/>
        </rdf:Seq>
       </darktable:history>
       <dc:subject>
        <rdf:Bag>
         <rdf:li>harbour</rdf:li>
        </rdf:Bag>
       </dc:subject>
       <lr:hierarchicalSubject>
        <rdf:Bag>
         <rdf:li>place|harbour</rdf:li>
        </rdf:Bag>
       </lr:hierarchicalSubject>
      </rdf:Description>
     </rdf:RDF>
    </x:xmpmeta>
    """

  /// A sidecar as Immich writes it through exiftool: elements in one description per namespace, and tags only in
  /// digiKam's list.
  public static let immich = """
    <?xpacket begin='\u{FEFF}' id='W5M0MpCehiHzreSzNTczkc9d'?>
    <x:xmpmeta xmlns:x='adobe:ns:meta/' x:xmptk='Image::ExifTool 12.76'>
    <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>

     <rdf:Description rdf:about=''
      xmlns:dc='http://purl.org/dc/elements/1.1/'>
      <dc:description>
       <rdf:Alt>
        <rdf:li xml:lang='x-default'>By the lake</rdf:li>
       </rdf:Alt>
      </dc:description>
     </rdf:Description>

     <rdf:Description rdf:about=''
      xmlns:digiKam='http://www.digikam.org/ns/1.0/'>
      <digiKam:TagsList>
       <rdf:Seq>
        <rdf:li>Trips/Lake</rdf:li>
       </rdf:Seq>
      </digiKam:TagsList>
     </rdf:Description>

     <rdf:Description rdf:about=''
      xmlns:exif='http://ns.adobe.com/exif/1.0/'>
      <exif:DateTimeOriginal>2023-06-07T08:09:10+02:00</exif:DateTimeOriginal>
      <exif:GPSLatitude>47,33.9N</exif:GPSLatitude>
      <exif:GPSLongitude>9,22.5E</exif:GPSLongitude>
     </rdf:Description>

     <rdf:Description rdf:about=''
      xmlns:tiff='http://ns.adobe.com/tiff/1.0/'>
      <tiff:ImageDescription>
       <rdf:Alt>
        <rdf:li xml:lang='x-default'>By the lake</rdf:li>
       </rdf:Alt>
      </tiff:ImageDescription>
     </rdf:Description>

     <rdf:Description rdf:about=''
      xmlns:xmp='http://ns.adobe.com/xap/1.0/'>
      <xmp:Rating>3</xmp:Rating>
     </rdf:Description>
    </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end='w'?>
    """

  /// Returns a sidecar that contains one date, with or without a UTC offset.
  public static func dated(_ date: String) -> String {
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
    <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:DateTimeOriginal="\(date)"/>\
    </rdf:RDF></x:xmpmeta>
    """
  }
}
