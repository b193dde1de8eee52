extension Message {
  /// The paragraphs of a text, as translators see them. Paragraphs are separated by empty lines. The lines within a
  /// paragraph are joined. A line indented by two spaces is a separate paragraph.
  public var paragraphs: [Message] {
    var all: [Message] = []
    var lines: [Substring] = []
    func end() {
      guard !lines.isEmpty else { return }
      let part = self.part(lines.joined(separator: " "))
      if part.format == "%1", case .message(let inner)? = part.arguments.first {
        all += inner.paragraphs
      } else {
        all.append(part)
      }
      lines = []
    }
    for line in format.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty || line.hasPrefix("  ") || lines.last?.hasPrefix("  ") ?? false { end() }
      if !line.isEmpty { lines.append(line) }
    }
    end()
    return all
  }

  /// Returns a part of the format as a message with its own arguments, numbered from 1.
  private func part(_ text: String) -> Message {
    var numbers: [Int] = []
    let format = MessageFormat.filled(text) { number in
      guard arguments.indices.contains(number - 1) else { return nil }
      if !numbers.contains(number) { numbers.append(number) }
      return "%\((numbers.firstIndex(of: number) ?? 0) + 1)"
    }
    return Message(format: format, arguments: numbers.map { arguments[$0 - 1] })
  }
}
