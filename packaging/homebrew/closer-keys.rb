# A Homebrew formula for a tap of your own: put the address of the repository in the place of @URL@. Nobody has run it yet.
class CloserKeys < Formula
  desc "End-to-end encryption for apps that two people share"
  homepage "@URL@"
  head "@URL@.git", branch: "main"
  license "Apache-2.0"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "argon2"
  depends_on "libsodium"
  depends_on :macos
  depends_on "openssl@3"
  depends_on "qrencode"

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "closer-keys"
    bin.install ".build/release/closer-keys"
    man1.install Dir["man/*.1"]
    man7.install Dir["man/*.7"]
    generate_completions_from_executable(bin/"closer-keys", "--generate-completion-script",
                                         shells: [:bash, :zsh, :fish], shell_parameter_format: :arg)
  end

  test do
    system bin/"closer-keys", "self-test"
    assert_match "passed", shell_output("#{bin}/closer-keys vectors verify").lines.last
  end
end
