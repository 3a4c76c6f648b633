# test-unit: found in its place in Ruby's path, it loads the real one and listens: one line of JSON for each test, with
# the file it is in, then one that says that all have ended.
$LOAD_PATH.delete(File.dirname(__dir__))
require 'test/unit'
require 'test/unit/ui/testrunnermediator'
require 'json'

module CrucibleListener
  STATUS = { 'Pending' => 'skipped', 'Omission' => 'skipped', 'Failure' => 'failed', 'Error' => 'failed' }.freeze

  def run
    lines, faults = [Dir.pwd], {}
    add_listener(Test::Unit::TestResult::FAULT) do |fault|
      status = STATUS[fault.class.name.split('::').last]
      faults[fault.test_name] = status if status && faults[fault.test_name] != 'failed'
    end
    add_listener(Test::Unit::TestCase::FINISHED_OBJECT) do |test|
      file = test.class.instance_method(test.method_name).source_location.first
      name = "#{test.class.name}##{test.method_name}#{test.data_label && "(#{test.data_label})"}"
      lines << JSON.generate(file: File.expand_path(file), name: name, status: faults[test.name] || 'passed', kind: 'test')
    end
    super
  ensure
    File.write(ENV['MT_REPORT'], [*lines, JSON.generate(end: true)].join("\n") + "\n") unless $!
  end
end

Test::Unit::UI::TestRunnerMediator.prepend(CrucibleListener)
