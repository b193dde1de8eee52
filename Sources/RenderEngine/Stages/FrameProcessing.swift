import Basics
import EditModel
import Rendering

/// Returns the stage that passes every picture to custom code of the calling program and checks the result.
///
/// - Parameters:
///   - processor: The custom code.
///   - photo: The photo whose profile specifies the colours, or nil if the job has no photo.
///   - edit: The edit that has already been applied to the pictures.
/// - Returns: A stage that throws ``EditError`` with the code `frameProcessor` and without a file name.
func processingStage(
  _ processor: FrameProcessor, _ photo: OpenedPhoto?, after edit: Edit
) -> FrameStage {
  switch processor {
  case .planes(let body):
    return { frame, context in
      try processPlanes(of: frame, context, body)
      return frame
    }
  case .rgb(let encoding, let body):
    return { frame, context in
      let photo = context.half == .photo ? try photo?.get() : nil
      let profile = try photo?.newProfile(edit) ?? photo?.iccProfile()
      let conversion = RGBConversion(encoding, format: frame.format, profile: profile)
      try processColors(of: frame, context, conversion, encoding, body)
      return frame
    }
  }
}

private func processPlanes(
  of frame: PlanarFrame, _ context: FrameContext, _ body: (LivePhotoFrame) throws -> [LivePhotoFrame.Plane]
) throws {
  let format = frame.format
  let planes = (0..<format.sampling.planeCount).map { plane in
    let (width, height) = format.planeSize(plane)
    return LivePhotoFrame.Plane(width: width, height: height, samples: frame.samples(ofPlane: plane))
  }
  let given = LivePhotoFrame(
    context: context, bitDepth: format.bitDepth, isFullRange: format.color.isFullRange ?? false,
    matrix: format.color.matrix, planes: planes)
  let returned: [LivePhotoFrame.Plane]
  do {
    returned = try body(given)
  } catch {
    throw failure(context, "threw an error (\(error))")
  }
  guard returned.count == planes.count else {
    throw failure(context, "returned \(returned.count) planes instead of \(planes.count)")
  }
  for (index, plane) in returned.enumerated() {
    let wanted = planes[index]
    guard plane.width == wanted.width, plane.height == wanted.height,
      plane.samples.count == wanted.samples.count
    else {
      throw failure(
        context,
        "returned plane \(index) as \(plane.width)x\(plane.height) with \(plane.samples.count) samples instead"
          + " of \(wanted.width)x\(wanted.height)")
    }
    guard frame.setSamples(plane.samples, ofPlane: index) else {
      throw failure(context, "returned samples above \(given.largestSample) in plane \(index)")
    }
  }
}

private func processColors(
  of frame: PlanarFrame, _ context: FrameContext, _ conversion: RGBConversion, _ encoding: RGBEncoding,
  _ body: (inout RGBFrame) throws -> Void
) throws {
  var picture = RGBFrame(
    context: context, encoding: encoding, width: frame.format.width, height: frame.format.height,
    samples: conversion.samples(of: frame))
  let count = picture.samples.count
  do {
    try body(&picture)
  } catch {
    throw failure(context, "threw an error (\(error))")
  }
  guard picture.samples.count == count else {
    throw failure(
      context, "changed the number of samples to \(picture.samples.count) instead of keeping \(count)")
  }
  guard picture.samples.areFinite else {
    throw failure(context, "produced samples that are not finite")
  }
  conversion.write(picture.samples, to: frame)
}

private func failure(_ context: FrameContext, _ problem: Message) -> EditError {
  let picture =
    context.half == .photo
    ? "the photo" : "the frame at \((context.time * 1000).rounded() / 1000) seconds"
  return EditError(
    .frameProcessor, "was not edited: the frame processor \(problem) for \(picture)",
    remedy: "fix the frame processor")
}

/// Returns the stage that reduces every picture to the size of a preview.
///
/// - Parameter size: The maximum width and height of the pictures.
func reductionStage(_ size: PixelSize) -> FrameStage {
  { frame, _ in
    let wanted = size.fitting(frame.format.size)
    guard let reduced = frame.reduced(toWidth: wanted.width, height: wanted.height) else {
      throw MediaError("the picture cannot be scaled to \(wanted.width)x\(wanted.height)")
    }
    return reduced
  }
}
