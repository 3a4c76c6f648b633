# Notes what tests are answered. Its text is laid into test files: the standard library is all it may use.
require 'json'

def _note_answer(test, place, answer)
  said = begin
    JSON.generate([_make_plain(answer)])[1..-2][0, 5000]
  rescue StandardError, SystemStackError
    'null'
  end
  File.open('PLACE', 'a') { |notes| notes.puts(JSON.generate([test, "#{place} #{said}"])) }
  answer
end

# Which exception left the block, if one did.
def _note_raised(test, place)
  yield
  _note_answer(test, place, nil)
rescue StandardError => problem
  _note_answer(test, place, problem.class.name)
  problem
end

# Plain data with its type. What is equal becomes the same.
def _make_plain(answer)
  case answer
  when nil then 'None'
  when true then 1
  when false then 0
  when Integer then answer
  when Float then answer == answer.round && answer.abs < 1e300 ? answer.to_i : ['float', answer.round(9 - Math.log10(answer.abs).ceil).to_s]
  when Rational then answer.denominator == 1 ? answer.numerator : ['rational', answer.to_s]
  when String then ['str', answer.dup.force_encoding('UTF-8').scrub]
  when Symbol then ['symbol', answer.to_s]
  when Array then ['list', answer.map { |each| _make_plain(each) }]
  when Hash then ['dict', answer.map { |key, value| [_make_plain(key), _make_plain(value)] }.sort_by(&:to_s)]
  when Exception then ['error', answer.class.name]
  when Range, Regexp, Module then [answer.class.name, answer.inspect]
  else
    raise TypeError unless %w[Set Date Time DateTime BigDecimal].include?(answer.class.name)

    answer.is_a?(Enumerable) ? ['set', answer.map { |each| _make_plain(each) }.sort_by(&:to_s)] : [answer.class.name, answer.to_s]
  end
end
