# A Homebrew formula for a tap of your own: put the address of the repository in the place of @URL@. Nobody has run it yet.
class CloserKeys < Formula
  desc "End-to-end encryption for apps that two people share"
  homepage "@URL@"
  url "@URL@.git", tag: "0.3.0"
  license "Apache-2.0"
  head "@URL@.git", branch: "main"

  # On a Mac CryptoKit computes, and libsodium is a part of the program: the build fetches it, as swift-sodium's binary.
  depends_on xcode: ["26.4", :build]
  depends_on :macos

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "closer-keys"
    bin.install ".build/release/closer-keys"
    man1.install Dir["man/*.1"]
    man7.install Dir["man/*.7"]
    generate_completions_from_executable(bin/"closer-keys", "completions", shells: [:bash, :zsh, :fish])
  end

  test do
    assert_match "CryptoKit", shell_output("#{bin}/closer-keys version")
    system bin/"closer-keys", "self-test"
    assert_match "passed", shell_output("#{bin}/closer-keys vectors verify").lines.last
  end
end
