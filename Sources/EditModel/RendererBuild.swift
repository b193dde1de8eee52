/// The build of the renderer, recorded with every version: the same build renders the same bytes.
public enum RendererBuild {
  /// The running build.
  public static let current = "0.1.0"
}
