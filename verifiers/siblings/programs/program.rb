# Runs siblings without a test framework, as any program would use the code. Laid into the workdir.
require 'json'

ARGV.clear
FRAMEWORKS = %r{\A(minitest|test/unit|test-unit)}.freeze

# Stands for a test framework's class while a test file is read.
class Part
  PARTS = []

  def self.inherited(part)
    super
    PARTS << part
  end

  def initialize(*) end

  def setup; end
end

# The frameworks' names.
module Minitest
  Test = Part
end
MiniTest = Minitest
module Test
  module Unit
    TestCase = Part
  end
end

$VERBOSE = nil
# Loads anything but a framework.
module Kernel
  alias require_plainly require
  def require(name)
    FRAMEWORKS.match?(name.to_s) ? false : require_plainly(name)
  end
  private :require
end

JSON.parse('FILES').each do |file|
  load file
rescue StandardError, ScriptError
  next
end

# Nothing of it is left when the code is asked.
module Kernel
  alias require require_plainly
  private :require
  remove_method :require_plainly
end
%i[Minitest MiniTest Test].each { |name| Object.send(:remove_const, name) }

Part::PARTS.each do |part|
  part.instance_methods.grep(/\Apart_/).sort.each do |name|
    instance = part.new
    instance.setup
    instance.send(name)
  rescue StandardError, ScriptError
    next
  end
end
