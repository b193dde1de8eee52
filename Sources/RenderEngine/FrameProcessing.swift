import Basics
import EditModel
import Rendering

/// The stage that hands every picture to a program's own code and checks what comes back.
///
/// - Parameter processor: the code.
/// - Returns: a stage that throws ``EditError`` with the code `frameProcessor`, about no file in particular.
func processingStage(_ processor: @escaping FrameProcessor) -> FrameStage {
  { frame, context in
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
      returned = try processor(given)
    } catch {
      throw failure(context, "threw an error (\(error))")
    }
    guard returned.count == planes.count else {
      throw failure(context, "returned \(returned.count) planes in place of \(planes.count)")
    }
    for (index, plane) in returned.enumerated() {
      let wanted = planes[index]
      guard plane.width == wanted.width, plane.height == wanted.height,
        plane.samples.count == wanted.samples.count
      else {
        throw failure(
          context,
          "returned plane \(index) as \(plane.width)x\(plane.height) with \(plane.samples.count) samples in place"
            + " of \(wanted.width)x\(wanted.height)")
      }
      guard frame.setSamples(plane.samples, ofPlane: index) else {
        throw failure(context, "returned samples above \(given.largestSample) in plane \(index)")
      }
    }
    return frame
  }
}

private func failure(_ context: FrameContext, _ problem: String) -> EditError {
  let picture =
    context.kind == .still
    ? "the photo" : "the frame at \((context.time * 1000).rounded() / 1000) seconds"
  return EditError(
    .frameProcessor, "was not edited: the frame processor \(problem) for \(picture)",
    remedy: "correct the frame processor")
}

/// The stage that makes every picture small enough for a preview.
///
/// - Parameter size: what the pictures must fit into.
func reductionStage(_ size: RenderJob.Size) -> FrameStage {
  { frame, _ in
    let wanted = size.fitting(RenderJob.Size(width: frame.format.width, height: frame.format.height))
    guard let reduced = frame.reduced(toWidth: wanted.width, height: wanted.height) else {
      throw MediaError("it cannot be made \(wanted.width)x\(wanted.height)")
    }
    return reduced
  }
}
