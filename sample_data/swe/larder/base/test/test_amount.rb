# frozen_string_literal: true

require 'minitest/autorun'
require 'larder'

class TestAmount < Minitest::Test
  def test_a_whole_number
    assert_equal '2 cups', Larder::Amount.parse('2 cups').to_s
  end

  def test_a_number_with_a_fraction
    assert_equal Rational(3, 2), Larder::Amount.parse('1 1/2 cups').quantity
    assert_equal '1 1/2 cups', Larder::Amount.parse('1 1/2 cups').to_s
  end

  def test_scaling_by_a_whole_number
    assert_equal '3 cups', Larder::Amount.parse('1 1/2 cups').scale(2).to_s
  end

  def test_what_is_no_amount_is_refused
    assert_raises(ArgumentError) { Larder::Amount.parse('a pinch') }
  end
end
