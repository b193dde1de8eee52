import EditModel

/// Updates Dynamic Depth 1.0 metadata (developer.android.com/training/camera2/Dynamic-depth-v1.0.pdf), which describes
/// cameras with depth maps, and the optics and poses of these cameras. The pictures themselves are stored after the
/// first picture.
extension XMPPacket {
  /// The namespaces of Dynamic Depth.
  enum DynamicDepth {
    static let root = "http://ns.google.com/photos/dd/1.0/"
    static let device = root + "device/"
    static let item = root + "item/"
    static let camera = root + "camera/"
    /// The device properties that remain valid for any part of the picture or are examined individually.
    static let ofDevice: Set<String> = [
      "Container", "Profiles", "Cameras", "VendorInfo", "AppInfo", "Pose", "EarthPose", "EarthPos",
    ]
    /// The camera properties that remain valid for any part of the picture or are examined individually.
    static let ofCamera: Set<String> = [
      "DepthMap", "Image", "ImagingModel", "VendorInfo", "AppInfo", "Pose", "LightEstimate", "Trait",
    ]
    /// The depth map properties that remain valid for any part of the picture or are examined individually.
    static let ofDepthMap: Set<String> = [
      "DepthURI", "ConfidenceURI", "Format", "Near", "Far", "Units", "ItemSemantic", "MeasureType",
      "Software", "FocalTable", "FocalTableEntryCount",
    ]
  }

  /// The elements that describe the device, at any nesting level.
  private var deviceElements: [XMLTree.Element] {
    properties(in: DynamicDepth.device).flatMap { property -> [XMLTree.Element] in
      guard case .element(let element) = property, element.name.local != "Container" else { return [] }
      return descendants(of: element)
    }
  }

  private func isOfCamera(_ element: XMLTree.Element, _ local: String) -> Bool {
    element.name == XMLTree.Name(namespace: DynamicDepth.camera, local: local)
  }

  /// The kind of each directory item, by URI: “Depth”, “Segmentation”, “Confidence”, “Original”, …
  var kindsByURI: [String: String] {
    var kinds: [String: String] = [:]
    for element in deviceElements {
      let fields = fields(of: element)
      if isOfCamera(element, "DepthMap") {
        let isSegmentation = fields["ItemSemantic"]?.text.lowercased() == "segmentation"
        if let uri = fields["DepthURI"]?.text { kinds[uri] = isSegmentation ? "Segmentation" : "Depth" }
        if let uri = fields["ConfidenceURI"]?.text { kinds[uri] = "Confidence" }
      } else if isOfCamera(element, "Image"), let uri = fields["ItemURI"]?.text {
        kinds[uri] = fields["ItemSemantic"]?.text ?? "Primary"
      }
    }
    return kinds
  }

  /// Updates the device metadata to describe the new picture. Properties that cannot be updated, and references to
  /// removed items, are removed.
  ///
  /// - Parameters:
  ///   - change: The change to the photo.
  ///   - lost: The URIs of the removed items.
  /// - Returns: The names of the removed properties. Removed references are not included.
  mutating func rewriteDevice(_ change: PictureChange, without lost: Set<String>) -> [String] {
    var removed: [String] = []
    if change.pixelsMoved {
      for property in properties(in: DynamicDepth.device)
      where !DynamicDepth.ofDevice.contains(property.name.local) {
        remove(property)
        removed.append("Device:\(property.name.local)")
      }
    }
    for element in deviceElements {
      let fields = fields(of: element)
      func refersToLost(_ local: String) -> Bool { fields[local].map { lost.contains($0.text) } ?? false }
      if refersToLost("DepthURI") || refersToLost("ItemURI") {
        remove(.element(element))
        continue
      }
      if refersToLost("ConfidenceURI") { _ = removeFields(of: element) { $0.local == "ConfidenceURI" } }
      guard change.pixelsMoved else { continue }
      if isOfCamera(element, "DepthMap") {
        removed += removeFields(of: element) { name in
          // The metadata does not state to which fraction of the picture the blur radii refer.
          let isOfWhole = change.isReframed && name.local.hasPrefix("FocalTable")
          return isOfWhole || !DynamicDepth.ofDepthMap.contains(name.local)
        }.map { "DepthMap:\($0.local)" }
      } else if isOfCamera(element, "ImagingModel") {
        removed += moveImagingModel(element, change)
      } else if ["Pose", "EarthPose", "EarthPos"].contains(element.name.local), change.isRolled {
        // The axes and directions of these angles are not known.
        removed +=
          removeFields(of: element) { $0.local.hasPrefix("Rotation") }.isEmpty
          ? [] : ["\(element.name.local):Rotation"]
      }
      removed += removeFields(of: element) {
        $0.namespace == DynamicDepth.camera && !DynamicDepth.ofCamera.contains($0.local)
      }.map { "Camera:\($0.local)" }
    }
    return removed.unique
  }

  /// Updates the optics of a camera. Focal lengths are in pixels of a picture of `ImageWidth` x `ImageHeight`. The
  /// principal point is stated either in fractions of that picture, as Dynamic Depth specifies, or in pixels of that
  /// picture, as written by Android's camera service.
  ///
  /// - Returns: The names of the removed properties.
  private mutating func moveImagingModel(_ element: XMLTree.Element, _ change: PictureChange) -> [String] {
    let fields = fields(of: element)
    func number(_ local: String) -> Double? {
      fields[local].flatMap { Double($0.text) }.flatMap { abs($0) <= 1e6 ? $0 : nil }
    }
    let old = change.old
    guard let width = number("ImageWidth"), let height = number("ImageHeight"), width >= 1, height >= 1,
      abs(width * Double(old.height) - height * Double(old.width)) * 50 <= width * Double(old.height),
      let across = number("FocalLengthX"), let down = number("FocalLengthY"), across > 0, down > 0,
      let x = fields["PrincipalPointX"] == nil ? 0.5 : number("PrincipalPointX"),
      let y = fields["PrincipalPointY"] == nil ? 0.5 : number("PrincipalPointY"),
      let skew = fields["Skew"] == nil ? 0 : number("Skew"),
      let aspect = fields["PixelAspectRatio"] == nil ? 1 : number("PixelAspectRatio"),
      aspect == 1 || !change.isRolled
    else { return removed(element) }
    let isFraction = 0...1 ~= x && 0...1 ~= y
    let camera = CameraCalibration(
      size: [width, height], x: [across, skew, isFraction ? x * width : x],
      y: [0, down, isFraction ? y * height : y])
    guard let (moved, roll) = camera.moved(by: change.places) else { return removed(element) }
    let part = isFraction ? moved.size : [1, 1]
    var values = [
      ("ImageWidth", moved.size.x), ("ImageHeight", moved.size.y), ("FocalLengthX", moved.x.x),
      ("FocalLengthY", moved.y.y), ("PrincipalPointX", moved.x.z / part.x),
      ("PrincipalPointY", moved.y.z / part.y),
    ]
    if fields["Skew"] != nil || abs(moved.x.y) > 1e-6 * moved.x.x { values.append(("Skew", moved.x.y)) }
    guard values.allSatisfy({ abs($0.1) <= 1e7 }) else { return removed(element) }
    // If the metadata does not state a principal point, the principal point is at the centre.
    let isMiddle = isFraction && abs(moved.x.z / part.x - 0.5) < 1e-9 && abs(moved.y.z / part.y - 0.5) < 1e-9
    for (local, value) in values
    where !isMiddle || fields[local] != nil || !local.hasPrefix("Principal") {
      setField(local, to: Self.decimal(value), behind: "FocalLengthX", in: element)
    }
    guard roll != [1, 0] else { return [] }
    // Lens distortion that is not rotationally symmetric would also have to be rotated.
    return removeFields(of: element) { $0.local.hasPrefix("Distortion") }.isEmpty
      ? [] : ["ImagingModel:Distortion"]
  }

  private mutating func removed(_ element: XMLTree.Element) -> [String] {
    remove(.element(element))
    return [element.name.local]
  }
}

extension PictureChange {
  /// Whether the new picture is rotated relative to the old picture, so that the rows of the two pictures run in
  /// different directions in the scene.
  fileprivate var isRolled: Bool {
    let places = places
    return places.x.y != 0 || places.y.x != 0 || places.x.x * places.w.z < 0 || places.y.y * places.w.z < 0
      || places.w.x != 0 || places.w.y != 0
  }
}
